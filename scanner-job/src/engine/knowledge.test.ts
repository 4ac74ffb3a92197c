import { expect, it } from "vitest";
import { aCheck, anOperation } from "../testing/samples.ts";
import { inconclusive } from "./check.ts";
import { Knowledge } from "./knowledge.ts";

const operation = anOperation();

it("a response that takes seconds counts as several requests, and so does a missing one", () => {
  const knowledge = new Knowledge();
  for (const elapsedMs of [3, 20_000]) {
    knowledge.spend(operation);
    knowledge.wait(operation, elapsedMs);
  }
  expect(knowledge.spentOn(operation)).toBe(21);
  const lostRequest = { request: { method: "GET", url: "https://api.example/things" }, responses: 0 };
  knowledge.learn({
    check: aCheck(),
    subject: operation,
    verdict: inconclusive("No response arrived."),
    reach: "failed",
    lostRequest,
  });
  expect(knowledge.spentOn(operation)).toBe(50);
});

it("rows of one table share what was learned of them, and other checks do not", () => {
  const knowledge = new Knowledge();
  const [row, other] = [
    aCheck({ id: "x/row", kind: "exposure", group: "Backups" }),
    aCheck({ id: "x/other", kind: "exposure", group: "Backups" }),
  ];
  knowledge.learn({ check: row, subject: operation, verdict: { outcome: "pass" }, reach: "missing" });
  expect(knowledge.recordOf(other)).toEqual({ examined: 1, reported: 0 });
  expect(knowledge.recordOf(aCheck({ id: "x/none" }))).toEqual({ examined: 0, reported: 0 });
});

it("an insertion point is known by its parameter", () => {
  const knowledge = new Knowledge();
  knowledge.interpret({ method: "GET", path: "/things", parameter: "q" });
  expect(knowledge.isInterpreted({ method: "GET", path: "/things", parameter: "q" })).toBe(true);
  expect(knowledge.isInterpreted({ method: "GET", path: "/things", parameter: "page" })).toBe(false);
});

it("the cost of a check is what it declares, and then what its examinations take", () => {
  const knowledge = new Knowledge();
  const [check, other] = [aCheck({ id: "x/one", cost: 4 }), aCheck({ id: "x/other", cost: 4 })];
  for (let examined = 0; examined < 6; examined += 1)
    knowledge.learn({ check, subject: operation, verdict: { outcome: "pass" }, reach: "reached", sent: 0 });
  expect(knowledge.costOf(check)).toBe(1);
  expect(knowledge.costOf(other)).toBe(4);
});
