import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kubectl } from "../cluster/support/kubectl.ts";
import {
  askApi,
  endedScan,
  firstKey,
  prepareInstallation,
  type Installation,
} from "./support/installation.ts";
import { shell } from "./support/shell.ts";
import { startTarget, type InstallTarget } from "./support/target.ts";

/** Chart and images of the release before (scripts/previous-release.mjs). */
const PREVIOUS = "dist/previous/charts/glovebox";
const HELM_OPTIONS = "--namespace glovebox --set evaluation=true --wait --timeout 5m";

let target: InstallTarget;
let installation: Installation;
let key: string;
let early: string;
let underWay: string;

const post = async (): Promise<string> => {
  const body = JSON.stringify({
    url: `https://${target.host}/v1`,
    specUrl: `https://${target.host}/openapi.json`,
  });
  const options = `--header 'Prefer: respond-async' --json '${body}'`;
  const { id } = await askApi<{ id: string }>("/v1/scan", { options });
  return id;
};

beforeAll(async () => {
  target = await startTarget(200); // slow enough to be at work during the upgrade
  installation = await prepareInstallation(target);
  if (!existsSync(PREVIOUS)) throw new Error(`${PREVIOUS} is not there: npm run images:previous makes it.`);
  await shell([
    `helm install glovebox ${PREVIOUS} --create-namespace ${HELM_OPTIONS} ${installation.values} --set image.tag=previous`,
  ]);
  key = await firstKey();
  early = await post();
  await endedScan(early);
  underWay = await post();
  await shell([
    `helm upgrade glovebox charts/glovebox ${HELM_OPTIONS} ${installation.values} --set image.tag=dev`,
  ]);
});
afterAll(async () => {
  await installation?.remove();
  await target?.remove();
});

describe("an upgrade from the previous version of the chart", () => {
  test("keeps the first API key and every report", async () => {
    expect(await firstKey()).toBe(key);
    expect(await endedScan(early)).toMatchObject({ status: "completed" });
  });

  test("loses no scan that was under way", async () => {
    expect(await endedScan(underWay)).toMatchObject({ status: "completed" });
  });

  test("goes on to scan", async () => {
    expect(await endedScan(await post())).toMatchObject({ status: "completed" });
  });

  test("is at the present version", async () => {
    const crd = await kubectl(["get", "crd", "scans.glovebox.dev", "--output=jsonpath={.metadata.labels}"]);
    const { version } = JSON.parse(
      await shell(["helm list --namespace glovebox --output json"]),
    )[0].chart.match(/^glovebox-(?<version>.*)$/).groups;
    expect(crd).toContain(`glovebox-${version}`);
  });
});
