import type { Report } from "@glovebox/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resultsLost } from "./support/controller.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ server: "many-findings-server.mjs" });
});
afterAll(() => fixture?.close());

test("a report over the maximum size contains the first findings and a note with their total number", async () => {
  const controller = await fixture.startController();
  await fixture.applyScan("weak");
  const status = await fixture.finished("weak");
  expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(await resultsLost(controller)).toBe(0);

  const { reportJson } = (await fixture.store.scans.get(fixture.account.id, status.scanId!))!;
  const { findings, categories, notes, scoring } = JSON.parse(reportJson!) as Report;
  expect(findings).toHaveLength(status.findings!);
  const note = /^Only (\d+) of (\d+) findings are listed/m;
  expect(notes.join("\n")).toMatch(note);
  const [, listed, found] = note.exec(notes.join("\n"))!;
  expect(Number(listed)).toBe(findings.length);
  expect(Number(found)).toBeGreaterThan(findings.length);
  // Findings that are not listed count in the score, and each category with findings lists at least one.
  expect(scoring.deductions).toHaveLength(Number(found));
  for (const [category, { score, findings: own }] of Object.entries(categories))
    expect([category, own.length === 0]).toEqual([category, score === 100]);
  await controller.stop();
});
