import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kubectl } from "../cluster/support/kubectl.ts";
import { endedScan, firstKey } from "./support/installation.ts";
import { installPreviousRelease, type PreviousRelease } from "./support/previous-release.ts";
import { shell } from "./support/shell.ts";

let release: PreviousRelease;
let key: string;
/** A scan that has ended before the change, and one that runs during it. */
let [endedBefore, runningDuring]: string[] = [];

beforeAll(async () => {
  release = await installPreviousRelease();
  key = await firstKey();
});
afterAll(() => release?.remove());

async function startScans(): Promise<void> {
  endedBefore = await release.submitScan();
  await endedScan(endedBefore);
  runningDuring = await release.submitScan();
}
const completed = { status: "completed" };

describe("an upgrade from the previous release", () => {
  beforeAll(async () => {
    await startScans();
    await release.upgrade();
  });

  test("keeps the first API key and the reports", async () => {
    expect(await firstKey()).toBe(key);
    expect(await endedScan(endedBefore!)).toMatchObject(completed);
  });

  test("completes a scan that was running", async () => {
    expect(await endedScan(runningDuring!)).toMatchObject(completed);
  });

  test("completes new scans", async () => {
    expect(await endedScan(await release.submitScan())).toMatchObject(completed);
  });

  test("updates the resource definition to the version of the chart", async () => {
    const crd = await kubectl(["get", "crd", "scans.glovebox.dev", "--output=jsonpath={.metadata.labels}"]);
    const { version } = JSON.parse(
      await shell(["helm list --namespace glovebox --output json"]),
    )[0].chart.match(/^glovebox-(?<version>.*)$/).groups;
    expect(crd).toContain(`glovebox-${version}`);
  });
});

describe("a rollback to the previous release", () => {
  beforeAll(async () => {
    await startScans();
    await shell(["helm rollback glovebox 1 --namespace glovebox --wait --timeout 5m"]);
  });

  test("keeps the first API key and the reports of the newer release", async () => {
    expect(await firstKey()).toBe(key);
    expect(await endedScan(endedBefore!)).toMatchObject(completed);
  });

  test("completes a scan that was running", async () => {
    expect(await endedScan(runningDuring!)).toMatchObject(completed);
  });

  test("runs the images of the previous release, which complete new scans", async () => {
    const images = await shell([
      "kubectl --namespace glovebox get deployments --output jsonpath='{.items[*].spec.template.spec.containers[*].image}'",
    ]);
    for (const component of ["api", "controller"]) expect(images).toContain(`glovebox/${component}:previous`);
    expect(await endedScan(await release.submitScan())).toMatchObject(completed);
  });

  test("can be followed by another upgrade, which completes new scans", async () => {
    await release.upgrade();
    expect(await endedScan(await release.submitScan())).toMatchObject(completed);
  });
});
