import { existsSync } from "node:fs";
import { requestApi, prepareInstallation, scanRequest } from "./installation.ts";
import { shell } from "./shell.ts";
import { startTarget } from "./target.ts";

/** The chart of the previous release, with images of the tag `previous` (scripts/previous-release.mjs). */
const CHART = "dist/previous/charts/glovebox";
const HELM_OPTIONS = "--namespace glovebox --set evaluation=true --wait --timeout 5m";
/** Slow enough for a scan to be running during an upgrade. */
const TARGET_DELAY_MS = 100;

/** An installation of the previous release for evaluation, and a target for its scans. */
export interface PreviousRelease {
  /** Upgrades to the chart and the images of this checkout. */
  upgrade(): Promise<void>;
  /** Submits a scan of the target and returns its id, before the scan has ended. */
  submitScan(): Promise<string>;
  remove(): Promise<void>;
}

export async function installPreviousRelease(): Promise<PreviousRelease> {
  await using cleanup = new AsyncDisposableStack();
  const target = await startTarget(TARGET_DELAY_MS);
  cleanup.defer(() => target.remove());
  const installation = await prepareInstallation(target);
  cleanup.defer(() => installation.remove());
  if (!existsSync(CHART)) throw new Error(`${CHART} does not exist: npm run images:previous makes it.`);
  const helm = (command: string, tag: string) =>
    shell([`helm ${command} ${HELM_OPTIONS} ${installation.values} --set image.tag=${tag}`]);
  await helm(`install glovebox ${CHART} --create-namespace`, "previous");
  const running = cleanup.move();
  return {
    upgrade: async () => void (await helm("upgrade glovebox charts/glovebox", "dev")),
    async submitScan() {
      const { id } = await requestApi<{ id: string }>("/v1/scan", { options: scanRequest(target) });
      return id;
    },
    remove: () => running.disposeAsync(),
  };
}
