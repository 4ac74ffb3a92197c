import { storedReport } from "@glovebox/store/testing";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getJson, kubectl } from "./support/kubectl.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

const EXAMPLE = fileURLToPath(new URL("../../k8s/examples/scan.yaml", import.meta.url));

describe("the example Scan, applied with kubectl", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await startFixture({ namespace: "glovebox-scans" });
    await fixture.startController();
    await kubectl(["delete", "scans.glovebox.dev", "--all", "-n", fixture.namespace]);
    await kubectl(["apply", "-f", EXAMPLE]);
  });
  afterAll(() => fixture?.close());

  test("completes with a score and findings, and all conditions are true", async () => {
    const status = await fixture.finished("shop");
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

  test("the example Scan, applied with kubectl has its report with the proof of isolation in PostgreSQL, and the account is charged once", async () => {
    const { scanId, score, findings } = await fixture.finished("shop");
    const row = (await fixture.store.scans.get(fixture.account.id, scanId!))!;
    const { status } = row;
    expect(status).toBe("completed");
    const report = storedReport(row);
    expect([report.score, report.findings.length]).toEqual([score, findings]);
    expect(report.isolation).toMatchObject({ attempts: expect.any(Number), provenAt: expect.any(String) });
    expect((await fixture.store.scans.list(fixture.account.id, { limit: 5, offset: 0 })).total).toBe(1);
  });

  test("leaves no Job, pod or policy", async () => {
    await fixture.finished("shop");
    expect(await fixture.cleanedUp()).toBe(true);
  });

  test("the example Scan, applied with kubectl has an event for each step", async () => {
    const reasons = await until("the event of its end", async () => {
      const { items } = await getJson<{ items: { reason: string }[] }>("events", "-n", fixture.namespace);
      const seen = items.map(({ reason }) => reason);
      return seen.includes("Completed") && seen;
    });
    const steps = ["Charged", "PolicyInPlace", "Started", "CanaryBlocked", "ReportReceived"];
    expect(reasons).toEqual(expect.arrayContaining(steps));
  });
});
