import { REASONS, STEP_TYPES, SUMMARY } from "@glovebox/k8s";
import { expect, test } from "vitest";
import { tableOf } from "./markdown.ts";
import { read } from "./repository.ts";

const page = read("docs/kubernetes.md");

test("docs/kubernetes.md lists each reason with its description in the code and a remedy", () => {
  const rows = tableOf(page, "Reason");
  const meanings = Object.entries(REASONS).map(([reason, meaning]) => [reason, `${meaning}.`]);
  expect(rows.map(([reason, meaning]) => [reason, meaning])).toEqual(meanings);
  expect(rows.filter(([, , remedy]) => !remedy?.endsWith("."))).toEqual([]);
});

test("docs/kubernetes.md lists the conditions of a Scan in order", () => {
  expect(tableOf(page, "Condition").map(([condition]) => condition)).toEqual(STEP_TYPES);
  expect(tableOf(page, "Summary")).toEqual(Object.entries(SUMMARY));
});
