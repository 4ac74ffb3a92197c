import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kubectl } from "../cluster/support/kubectl.ts";
import { endedScan, firstKey } from "./support/installation.ts";
import { installPreviousRelease, type PreviousRelease } from "./support/previous-release.ts";
import { shell } from "./support/shell.ts";

let release: PreviousRelease;
let key: string;
let endedBefore: string;
let runningDuring: string;

beforeAll(async () => {
  release = await installPreviousRelease();
  key = await firstKey();
  endedBefore = await release.submitScan();
  await endedScan(endedBefore);
  runningDuring = await release.submitScan();
  await release.upgrade();
});
afterAll(() => release?.remove());

describe("an upgrade from the previous release", () => {
  test("keeps the first API key and the reports", async () => {
    expect(await firstKey()).toBe(key);
    expect(await endedScan(endedBefore)).toMatchObject({ status: "completed" });
  });

  test("completes a scan that was running", async () => {
    expect(await endedScan(runningDuring)).toMatchObject({ status: "completed" });
  });

  test("completes new scans", async () => {
    expect(await endedScan(await release.submitScan())).toMatchObject({ status: "completed" });
  });

  test("updates the resource definition to the version of the chart", async () => {
    const crd = await kubectl(["get", "crd", "scans.glovebox.dev", "--output=jsonpath={.metadata.labels}"]);
    const { version } = JSON.parse(
      await shell(["helm list --namespace glovebox --output json"]),
    )[0].chart.match(/^glovebox-(?<version>.*)$/).groups;
    expect(crd).toContain(`glovebox-${version}`);
  });
});
