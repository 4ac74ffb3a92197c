import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Report } from "@glovebox/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";

// A command that switches the enforcement of NetworkPolicies, as "enforcement off", "enforcement on" and, for a network
// that is slow to enforce them, "enforcement delay SECONDS" of a cluster for tests do. Without it this file is not run.
const enforcement = (...state: ["off"] | ["on"] | ["delay", string]) =>
  promisify(execFile)(process.env["GLOVEBOX_CLUSTER_ENFORCEMENT"]!, state);

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.startController({ GLOVEBOX_ISOLATION_WAIT_SECONDS: "20" });
});
afterAll(async () => {
  await enforcement("on");
  await stage?.close();
});

test("where policies are not enforced no scan is carried out: IsolationNotProven, and no request at the target", async () => {
  await enforcement("off");
  await stage.applyScan("unsealed");
  const status = await stage.finished("unsealed");
  expect(status).toMatchObject({ phase: "Failed", failure: { code: "isolation_not_proven" } });
  expect(status.conditions).toContainEqual(
    expect.objectContaining({ type: "IsolationProven", status: "False", reason: "CanaryReachable" }),
  );
  expect(await stage.target.requests()).toEqual([]);
  expect((await stage.store.work.find(status.scanId!))?.failure?.code).toBe("isolation_not_proven");
  await stage.tidied();
});

test("where they take effect late a scan waits for its seal, and is carried out once it is proven", async () => {
  await enforcement("delay", "5");
  await stage.applyScan("sealed-late");
  const status = await stage.finished("sealed-late");
  expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
  const { reportJson } = (await stage.store.scans.get(stage.account.id, status.scanId!))!;
  const { isolation } = JSON.parse(reportJson!) as Report;
  expect(isolation!.attempts).toBeGreaterThan(1);
  expect(await stage.target.requests()).not.toEqual([]);
  await stage.tidied();
});

test("and where they are enforced again, the same Scan under another name is carried out", async () => {
  await enforcement("on");
  await stage.applyScan("sealed-again");
  expect(await stage.finished("sealed-again")).toMatchObject({ phase: "Completed" });
});
