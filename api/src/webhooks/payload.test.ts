import { CATEGORY_KEYS, webhookPayloadSchema, type Grade } from "@glovebox/contract";
import type { Marks } from "@glovebox/domain";
import { instanceAt, reportOf } from "@glovebox/domain/testing";
import { packed } from "@glovebox/scan-run";
import type { ScanRow } from "@glovebox/store";
import { storedReport } from "@glovebox/store/testing";
import { describe, expect, test } from "vitest";
import { inThisThread } from "../testing/report-runner.ts";
import { payloadOf } from "./payload.ts";
import { regressionOf as regressionBetween } from "../reports/regression.ts";

const NOON = new Date("2026-11-21T12:00:00Z");
type Given = Parameters<typeof reportOf>[0];

const scanOf = (grade: Grade, of: Given): ScanRow => ({
  id: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
  accountId: "account",
  url: "https://api.example/",
  specUrl: null,
  context: null,
  ...{ include: null, exclude: null, identityNames: null, mode: null },
  status: "completed",
  createdAt: NOON,
  endedAt: NOON,
  score: 90,
  grade,
  findingsCount: of.found?.length ?? 0,
  attempts: 1,
  resourceUid: null,
  progress: { done: 1, planned: 1 },
  failure: null,
  packedReport: packed(JSON.stringify(reportOf(of))),
});
const regressionOf = (previous: ScanRow, scan: ScanRow, marks: Marks) =>
  regressionBetween({ previous, scan, marks });
const [ORDERS, USERS] = ["GET /orders", "GET /users"];
const low = { severity: "low" } as const;

describe("a regression", () => {
  test.each<[string, ScanRow, ScanRow, object | undefined]>([
    [
      "the same findings are none",
      scanOf("A", { found: [instanceAt(ORDERS)] }),
      scanOf("A", { found: [instanceAt(ORDERS)] }),
      undefined,
    ],
    [
      "a finding less and a better grade is none",
      scanOf("B", { found: [instanceAt(ORDERS)] }),
      scanOf("A", { passed: [ORDERS] }),
      undefined,
    ],
    [
      "a lower grade is one without any new finding",
      scanOf("A", {}),
      scanOf("C", {}),
      { lowerGrade: true, total: 0, findings: [] },
    ],
    [
      "a new finding is one at the same grade",
      scanOf("A", { found: [instanceAt(ORDERS)] }),
      scanOf("A", { found: [instanceAt(ORDERS), instanceAt(USERS)] }),
      { lowerGrade: false, total: 1, findings: [{ change: "new", id: instanceAt(USERS).id }] },
    ],
    [
      "a finding that became more severe is one, with its new severity",
      scanOf("A", { found: [instanceAt(ORDERS, low)] }),
      scanOf("A", { found: [instanceAt(ORDERS)] }),
      { total: 1, findings: [{ change: "moreSevere", severity: "high" }] },
    ],
    [
      "a finding that became less severe is none",
      scanOf("A", { found: [instanceAt(ORDERS)] }),
      scanOf("A", { found: [instanceAt(ORDERS, low)] }),
      undefined,
    ],
  ])("%s", (_name, before, now, expected) => {
    const regression = regressionOf(before, now, new Map());
    if (expected === undefined) expect(regression).toBeUndefined();
    else expect(regression).toMatchObject(expected);
  });

  /** All of it was tested, and every category weighs the same. */
  const tested = (grade: Grade, of: Given): ScanRow => {
    const weights = Object.fromEntries(CATEGORY_KEYS.map((category) => [category, 1]));
    const pairs = Object.fromEntries(CATEGORY_KEYS.map((category) => [category, { decided: 1, planned: 1 }]));
    const report = { ...reportOf(of), coverage: { value: 1, pairs }, scoring: { weights, deductions: [] } };
    return { ...scanOf(grade, of), packedReport: packed(JSON.stringify(report)) };
  };
  const accepted = { status: "accepted", reason: "Known." } as const;
  const marked = new Map([[instanceAt(USERS).id, accepted]]);

  test("findings that are accepted or false positives are none, and do not lower the grade", () => {
    const [before, now] = [tested("A", {}), tested("D", { found: [instanceAt(USERS)] })];
    expect(regressionOf(before, now, new Map())).toMatchObject({ lowerGrade: true, total: 1 });
    const { id } = storedReport(now).findings[0]!;
    expect(regressionOf(before, now, new Map([[id, accepted]]))).toBeUndefined();
  });

  test("a finding beside one that is accepted is a regression, without the accepted one", () => {
    const now = tested("D", { found: [instanceAt(USERS), instanceAt(ORDERS)] });
    const regression = regressionOf(tested("A", {}), now, marked);
    expect(regression).toMatchObject({ total: 1, findings: [{ id: instanceAt(ORDERS).id }] });
  });

  test("a hundred new findings are counted, and the worst fifty are listed", () => {
    const found = Array.from({ length: 100 }, (_, index) =>
      instanceAt(`GET /places/${index}`, index === 99 ? { severity: "critical" } : low),
    );
    const { total, findings } = regressionOf(scanOf("A", {}), scanOf("A", { found }), new Map())!;
    expect(total).toBe(100);
    expect(findings).toHaveLength(50);
    expect(findings[0]).toMatchObject({ severity: "critical" });
  });
});

describe("the body of an event", () => {
  const earlier = { ...scanOf("A", {}), id: "scan-01kahr5zn8v3mwf2c7d9e4x6bp" };
  const latest = scanOf("B", {});
  const failed: ScanRow = {
    ...latest,
    ...{ status: "failed", score: null, grade: null, packedReport: null },
    failure: { code: "connection_refused", message: "The connection was refused." },
  };
  const given = { accountId: "account", createdAt: NOON, scanId: latest.id, previousScanId: earlier.id };
  const bodyOf = (event: string, rows: readonly ScanRow[]) =>
    payloadOf(
      { ...given, event } as Parameters<typeof payloadOf>[0],
      {
        scans: { get: async (_account, id) => rows.find((row) => row.id === id) },
        findings: { marksOf: async () => new Map() },
        reports: inThisThread,
      },
      NOON,
    );

  test.each(["scan.completed", "scan.regressed", "webhook.test"])(
    "%s has the documented shape",
    async (event) => {
      const body = await bodyOf(event, [earlier, latest]);
      expect(webhookPayloadSchema.parse(body)).toEqual(body);
      expect(body).toMatchObject({ type: event, timestamp: NOON.toISOString() });
    },
  );

  test("scan.failed has the documented shape and the reason", async () => {
    const body = await bodyOf("scan.failed", [failed]);
    expect(webhookPayloadSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ data: { error: { code: "connection_refused" } } });
  });

  test("the body of an event of a deleted scan does not exist", async () => {
    expect(await bodyOf("scan.completed", [])).toBeUndefined();
    expect(await bodyOf("scan.regressed", [latest])).toBeUndefined();
  });
});
