import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setStage, type Stage } from "./support/stage.ts";

// A command that switches the enforcement of NetworkPolicies, as "enforcement off" and "enforcement on" of a cluster
// for tests do. Without it this file is not run.
const enforcement = (state: "off" | "on") =>
  promisify(execFile)(process.env["GLOVEBOX_CLUSTER_ENFORCEMENT"]!, [state]);

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.startController();
  await enforcement("off");
});
afterAll(async () => {
  await enforcement("on");
  await stage?.close();
});

test("where policies are not enforced no scan is carried out: IsolationNotProven, and no request at the target", async () => {
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

test("and once they are, the same Scan under another name is carried out", async () => {
  await enforcement("on");
  await stage.applyScan("sealed-again");
  expect(await stage.finished("sealed-again")).toMatchObject({ phase: "Completed" });
});
