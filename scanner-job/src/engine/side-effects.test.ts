import { expect, it } from "vitest";
import { CHECKS } from "../checks/index.ts";
import { anOperation, aResponse, aTargetProfile } from "../testing/samples.ts";
import { interrupted } from "./check.ts";
import { writeResults } from "./side-effects.ts";

const operation = anOperation({ method: "POST" });
const request = { method: "POST", url: "https://api.example/things" };

const cutResponse = (status: number) => {
  const response = aResponse({ request, status, body: "a".repeat(10_000) });
  response.cut();
  return response;
};

it.each<[string, Parameters<typeof writeResults>[1]]>([
  ["an accepted write", { stored: [storedWith(201)], refusals: [] }],
  ["a rejected write", { stored: [], refusals: [[operation, cutResponse(400)]] }],
])("%s whose response was cut has no verdict, neither a finding nor a pass", (_, writes) => {
  const results = writeResults(CHECKS, writes, aTargetProfile({ operations: [operation] }));
  expect(results.length).toBeGreaterThan(0);
  for (const { verdict, finding } of results) {
    expect(verdict).toEqual(interrupted("response_cut"));
    expect(finding).toBeUndefined();
  }
});

function storedWith(status: number) {
  return { location: operation.location, operation, request, response: cutResponse(status) };
}
