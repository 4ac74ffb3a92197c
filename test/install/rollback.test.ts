import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endedScan, firstKey } from "./support/installation.ts";
import { installPreviousRelease, type PreviousRelease } from "./support/previous-release.ts";
import { shell } from "./support/shell.ts";

let release: PreviousRelease;
let key: string;
let endedBefore: string;
let runningDuring: string;

beforeAll(async () => {
  release = await installPreviousRelease();
  await release.upgrade();
  key = await firstKey();
  endedBefore = await release.submitScan();
  await endedScan(endedBefore);
  runningDuring = await release.submitScan();
  await shell(["helm rollback glovebox 1 --namespace glovebox --wait --timeout 5m"]);
});
afterAll(() => release?.remove());

describe("a rollback to the previous release", () => {
  test("keeps the first API key and the reports of the newer release", async () => {
    expect(await firstKey()).toBe(key);
    expect(await endedScan(endedBefore)).toMatchObject({ status: "completed" });
  });

  test("completes a scan that was running", async () => {
    expect(await endedScan(runningDuring)).toMatchObject({ status: "completed" });
  });

  test("runs the images of the previous release, which complete new scans", async () => {
    const images = await shell([
      "kubectl --namespace glovebox get deployments --output jsonpath='{.items[*].spec.template.spec.containers[*].image}'",
    ]);
    for (const component of ["api", "controller"]) expect(images).toContain(`glovebox/${component}:previous`);
    expect(await endedScan(await release.submitScan())).toMatchObject({ status: "completed" });
  });

  test("can be followed by another upgrade, which completes new scans", async () => {
    await release.upgrade();
    expect(await endedScan(await release.submitScan())).toMatchObject({ status: "completed" });
  });
});
