import { storedReport } from "@glovebox/store/testing";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFixture, type Fixture } from "./support/fixture.ts";

// A command that switches the enforcement of NetworkPolicies: "off", "on", or "delay SECONDS", for a network that enforces them
// late. Without it, this file is skipped.
const enforcement = (...state: ["off"] | ["on"] | ["delay", string]) =>
  promisify(execFile)(process.env["GLOVEBOX_CLUSTER_ENFORCEMENT"]!, state);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  await fixture.startController({ GLOVEBOX_ISOLATION_WAIT_SECONDS: "20" });
});
afterAll(async () => {
  await enforcement("on");
  await fixture?.close();
});

test("where policies are not enforced, a scan fails with isolation_not_proven and without a request to its target", async () => {
  await enforcement("off");
  await fixture.applyScan("unenforced");
  const status = await fixture.finished("unenforced");
  expect(status).toMatchObject({ phase: "Failed", failure: { code: "isolation_not_proven" } });
  expect(status.conditions).toContainEqual(
    expect.objectContaining({ type: "IsolationProven", status: "False", reason: "CanaryReachable" }),
  );
  expect(await fixture.target.requests()).toEqual([]);
  expect((await fixture.store.work.find(status.scanId!))?.failure?.code).toBe("isolation_not_proven");
  await fixture.cleanedUp();
});

test("where policies are enforced late, a scan waits for its isolation and then completes", async () => {
  await enforcement("delay", "5");
  await fixture.applyScan("enforced-late");
  const status = await fixture.finished("enforced-late");
  expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
  const { isolation } = storedReport((await fixture.store.scans.get(fixture.account.id, status.scanId!))!);
  expect(isolation!.attempts).toBeGreaterThan(1);
  expect(await fixture.target.requests()).not.toEqual([]);
  await fixture.cleanedUp();
});

test("where policies are enforced again, the next scan completes", async () => {
  await enforcement("on");
  await fixture.applyScan("enforced-again");
  expect(await fixture.finished("enforced-again")).toMatchObject({ phase: "Completed" });
});
