import { storedReport } from "@glovebox/store/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resultsLost } from "./support/controller.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ server: "many-findings-server.mjs" });
});
afterAll(() => fixture?.close());

test("a report over the maximum size contains every finding with its first locations, and a note with the number of all locations", async () => {
  const controller = await fixture.startController();
  await fixture.applyScan("weak");
  const status = await fixture.finished("weak");
  expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(await resultsLost(controller)).toBe(0);

  const { findings, categories, notes, scoring } = storedReport(
    (await fixture.store.scans.get(fixture.account.id, status.scanId!))!,
  );
  expect(findings).toHaveLength(status.findings!);
  const note = /^Only the first (\d+) locations of each finding are listed, of up to (\d+)/m;
  expect(notes.join("\n")).toMatch(note);
  const [, listed, found] = note.exec(notes.join("\n"))!;
  expect(Math.max(...findings.map(({ instances }) => instances?.length ?? 1))).toBe(Number(listed));
  expect(Number(found)).toBeGreaterThan(Number(listed));
  expect(scoring.deductions).toHaveLength(findings.length);
  for (const [category, { score, findings: own }] of Object.entries(categories))
    expect([category, own.length === 0]).toEqual([category, score === 100]);
  await controller.stop();
});
