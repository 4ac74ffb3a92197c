import { newScanId, scanFailure, scanSchema } from "@glovebox/contract";
import { packed } from "@glovebox/scan-run";
import type { ScanRow } from "@glovebox/store";
import { expect, test } from "vitest";
import { sampleOutcome } from "../testing/sample-report.ts";
import { scanText } from "./scan-response.ts";

const at = new Date("2030-01-02T03:04:05.678Z");
const row: ScanRow = {
  id: newScanId(at),
  accountId: "a",
  url: 'https://example.com/?q="%7D},{"',
  specUrl: null,
  context: null,
  ...{ include: null, exclude: null, identityNames: null, mode: null },
  status: "processing",
  createdAt: at,
  endedAt: null,
  score: null,
  grade: null,
  findingsCount: 0,
  attempts: 0,
  resourceUid: null,
  progress: { done: 3, planned: 9 },
  failure: null,
};
const outcome = sampleOutcome();
const report = outcome.status === "completed" ? outcome.report : undefined;

test("a processing scan has every field of the spec, and its progress", async () => {
  const scan = scanSchema.parse(JSON.parse(await scanText(row)));
  expect(scan).toMatchObject({
    id: row.id,
    url: row.url,
    createdAt: at.toISOString(),
    progress: { done: 3, planned: 9 },
  });
});

test("a failed scan has its failure", async () => {
  const scan: ScanRow = { ...row, status: "failed", endedAt: at, failure: scanFailure("tls_failure") };
  const rendered = scanSchema.parse(JSON.parse(await scanText(scan)));
  expect(rendered).toMatchObject({ status: "failed", completedAt: null, error: { code: "tls_failure" } });
});

test.each([
  ["compact", 0],
  ["indented", 2],
] as const)("the members of a completed scan and of its %s report are one object", async (_name, indent) => {
  const scan: ScanRow = { ...row, status: "completed", endedAt: at };
  const rendered: unknown = JSON.parse(
    await scanText({ ...scan, packedReport: packed(JSON.stringify(report, null, indent)) }),
  );
  expect(scanSchema.parse(rendered)).toEqual(rendered);
  expect(rendered).toEqual({
    id: row.id,
    status: "completed",
    url: row.url,
    createdAt: at.toISOString(),
    completedAt: at.toISOString(),
    ...report,
  });
});

test.each([
  [{ status: "completed", endedAt: at } as const, null],
  [{ status: "failed" } as const, null],
])("a row that contradicts itself is a fault: %j", async (fields, packedReport) => {
  await expect(scanText({ ...row, ...fields, packedReport })).rejects.toThrow(row.id);
});
