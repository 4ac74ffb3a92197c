import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getJson, kubectl } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

const EXAMPLE = fileURLToPath(new URL("../../k8s/examples/scan.yaml", import.meta.url));

describe("the example Scan, applied with kubectl", () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await setStage({ namespace: "glovebox-scans" });
    await stage.startController();
    await kubectl(["delete", "scans.glovebox.dev", "--all", "-n", stage.namespace]);
    await kubectl(["apply", "-f", EXAMPLE]);
  });
  afterAll(() => stage?.close());

  test("ends Completed with score, grade and findings, its isolation proven and its report recorded", async () => {
    const status = await stage.finished("shop");
    expect(status).toMatchObject({ phase: "Completed", attempt: 1, score: expect.any(Number) });
    expect(status.findings).toBeGreaterThan(0);
    expect(
      Object.fromEntries(status.conditions!.map(({ type, status: is, reason }) => [type, [is, reason]])),
    ).toEqual({
      Accepted: ["True", "Charged"],
      TargetResolved: ["True", "Resolved"],
      Sealed: ["True", "PolicyInPlace"],
      IsolationProven: ["True", "CanaryBlocked"],
      ReportRecorded: ["True", "ReportReceived"],
      Complete: ["True", "ReportReceived"],
    });
  });

  test("has its report with the proof in PostgreSQL, and the account is charged once", async () => {
    const { scanId, score, findings } = await stage.finished("shop");
    const { status, reportJson } = (await stage.store.scans.get(stage.account.id, scanId!))!;
    expect(status).toBe("completed");
    const report = JSON.parse(reportJson!) as { score: number; findings: unknown[]; isolation: object };
    expect([report.score, report.findings.length]).toEqual([score, findings]);
    expect(report.isolation).toMatchObject({ attempts: expect.any(Number), provenAt: expect.any(String) });
    expect((await stage.store.scans.list(stage.account.id, { limit: 5, offset: 0 })).total).toBe(1);
  });

  test("leaves no Job, no pod and no policy behind", async () => {
    await stage.finished("shop");
    expect(await stage.tidied()).toBe(true);
  });

  test("tells what happened in events", async () => {
    const reasons = await until("the event of the report", async () => {
      const { items } = await getJson<{ items: { reason: string }[] }>("events", "-n", stage.namespace);
      const seen = items.map(({ reason }) => reason);
      return seen.includes("ReportReceived") && seen;
    });
    expect(reasons).toEqual(expect.arrayContaining(["PolicyInPlace", "CanaryBlocked"]));
  });
});
