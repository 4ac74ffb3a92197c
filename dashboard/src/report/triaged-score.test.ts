import { assess } from "@glovebox/domain";
import { WHOLLY_TESTED, found } from "@glovebox/domain/testing";
import { expect, test } from "vitest";
import { triagedScore } from "./triaged-score.ts";

const findings = ["a", "b", "constructor"].map((id) => ({ ...found("high firm"), id }));
const scan = { findings, ...assess({ findings, ...WHOLLY_TESTED }) };
const accepted = { status: "accepted", reason: "Behind the VPN." } as const;
const falsePositive = { status: "falsePositive", reason: "A test host." } as const;

test("without marks there is one score", () => {
  expect(triagedScore(scan, { marks: {} })).toBeUndefined();
});

test("marks of findings that the report does not have leave one score", () => {
  expect(triagedScore(scan, { marks: { z: accepted } })).toBeUndefined();
});

test("accepted findings and false positives of the report are counted, with the score without them", () => {
  const marks = { a: accepted, b: falsePositive, z: accepted };
  const triaged = triagedScore(scan, { marks })!;
  expect(triaged.count).toBe(2);
  expect(triaged.score).toBeGreaterThan(scan.score);
  expect(triaged.score).toBeLessThan(100);
});
