import { expect, it } from "vitest";
import { CHECKS } from "../checks/index.ts";
import { anOperation, aReply, aTargetProfile } from "../testing/samples.ts";
import { interrupted } from "./check.ts";
import { writeResults } from "./side-effects.ts";

const operation = anOperation({ method: "POST" });
const request = { method: "POST", url: "https://api.example/things" };

const cutReply = (status: number) => {
  const reply = aReply({ request, status, body: "a".repeat(10_000) });
  reply.cut();
  return reply;
};

it.each([
  ["an accepted write", { stored: [storedWith(201)], refusals: new Map() }],
  ["a rejected write", { stored: [], refusals: new Map([[operation, cutReply(400)]]) }],
])("%s whose response was cut has no verdict, neither a finding nor a pass", (_, writes) => {
  const results = writeResults(CHECKS, writes, aTargetProfile({ operations: [operation] }));
  expect(results.length).toBeGreaterThan(0);
  for (const { verdict, finding } of results) {
    expect(verdict).toEqual(interrupted("response_cut"));
    expect(finding).toBeUndefined();
  }
});

function storedWith(status: number) {
  return { location: operation.location, operation, request, reply: cutReply(status) };
}
