import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
let ofUpgrade: string;
let underWay: string;

const post = async (): Promise<string> => {
  const body = JSON.stringify({ url: `https://${target.host}/v1` });
  const options = `--header 'Prefer: respond-async' --json '${body}'`;
  const { id } = await askApi<{ id: string }>("/v1/scan", { options });
  return id;
};

beforeAll(async () => {
  target = await startTarget(200); // slow enough to be at work during the rollback
  installation = await prepareInstallation(target);
  if (!existsSync(PREVIOUS)) throw new Error(`${PREVIOUS} is not there: npm run images:previous makes it.`);
  await shell([
    `helm install glovebox ${PREVIOUS} --create-namespace ${HELM_OPTIONS} ${installation.values} --set image.tag=previous`,
    `helm upgrade glovebox charts/glovebox ${HELM_OPTIONS} ${installation.values} --set image.tag=dev`,
  ]);
  key = await firstKey();
  ofUpgrade = await post();
  await endedScan(ofUpgrade);
  underWay = await post();
  await shell(["helm rollback glovebox 1 --namespace glovebox --wait --timeout 5m"]);
});
afterAll(async () => {
  await installation?.remove();
  await target?.remove();
});

describe("a rollback to the release before", () => {
  test("keeps the first API key, and the report that the newer release made", async () => {
    expect(await firstKey()).toBe(key);
    expect(await endedScan(ofUpgrade)).toMatchObject({ status: "completed" });
  });

  test("loses no scan that was under way", async () => {
    expect(await endedScan(underWay)).toMatchObject({ status: "completed" });
  });

  test("goes on to scan with the release before", async () => {
    const images = await shell([
      "kubectl --namespace glovebox get deployments --output jsonpath='{.items[*].spec.template.spec.containers[*].image}'",
    ]);
    for (const component of ["api", "controller"]) expect(images).toContain(`glovebox/${component}:previous`);
    expect(await endedScan(await post())).toMatchObject({ status: "completed" });
  });

  test("can be followed by the upgrade once more", async () => {
    await shell([
      `helm upgrade glovebox charts/glovebox ${HELM_OPTIONS} ${installation.values} --set image.tag=dev`,
    ]);
    expect(await endedScan(await post())).toMatchObject({ status: "completed" });
  });
});
