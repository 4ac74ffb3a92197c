import type { Report } from "@glovebox/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resultsLost } from "./support/controller.ts";
import { setStage, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ server: "weak-server.mjs" });
});
afterAll(() => stage?.close());

test("a report over the cap arrives with the first of its findings, and says of how many", async () => {
  const controller = await stage.startController();
  await stage.applyScan("weak");
  const status = await stage.finished("weak");
  expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(await resultsLost(controller)).toBe(0);

  const { reportJson } = (await stage.store.scans.get(stage.account.id, status.scanId!))!;
  const { findings, categories, notes, scoring } = JSON.parse(reportJson!) as Report;
  expect(findings).toHaveLength(status.findings!);
  const note = /^Only (\d+) of (\d+) findings are listed/m;
  expect(notes.join("\n")).toMatch(note);
  const [, listed, found] = note.exec(notes.join("\n"))!;
  expect(Number(listed)).toBe(findings.length);
  expect(Number(found)).toBeGreaterThan(findings.length);
  // What is not listed counts all the same, and each category in which something was found shows what.
  expect(scoring.deductions).toHaveLength(Number(found));
  for (const [category, { score, findings: own }] of Object.entries(categories))
    expect([category, own.length === 0]).toEqual([category, score === 100]);
  await controller.stop();
});
