import { expect, it } from "vitest";
import { aReply, aTargetProfile, anOperation } from "../testing/samples.ts";
import { defineObservation, type Check } from "./check.ts";
import { Observer } from "./observer.ts";

const operation = anOperation({ path: "/things" });
const profile = aTargetProfile({ operations: [operation] });
const check: Check = defineObservation({
  id: "data-exposure/marker",
  category: "dataExposure",
  title: "Marker",
  severity: "low",
  confidence: "firm",
  description: "The answer has a marker.",
  rule: "The answer has a marker.",
  remediation: "Remove it.",
  references: {},
  observe: ({ body }) =>
    body.includes("marker") ? { observed: "Seen: marker.", values: ["marker"] } : undefined,
});
const answer = (path: string, body: string, sent = "") =>
  aReply({ request: { method: "GET", url: `https://api.example${path}`, body: sent }, body });

it("what is seen in an answer is suspected once at each place", () => {
  const observer = new Observer([check], profile);
  observer.see(answer("/things", "a marker"), operation);
  observer.see(answer("/things?page=2", "the marker"), operation);
  observer.see(answer("/nothing", "a marker"), profile.host);
  expect(observer.takeSuspicions().map(({ subject }) => subject.location.path)).toEqual(["/things", "/"]);
  expect(observer.takeSuspicions()).toEqual([]);
});

it("what the request itself had is not suspected", () => {
  const observer = new Observer([check], profile);
  observer.see(answer("/things", "you sent marker", "marker"), operation);
  observer.see(answer("/things?q=%6darker", "no result for marker"), operation);
  expect(observer.takeSuspicions()).toEqual([]);
});

it("an operation passes when it answered and nothing was seen, and not where a firewall answered", () => {
  const observer = new Observer([check], profile);
  expect(observer.passes(new Set())).toEqual([]);
  observer.see(aReply({ status: 429 }), operation);
  expect(observer.passes(new Set())).toEqual([]);
  observer.see(answer("/things", "nothing"), operation);
  expect(observer.passes(new Set())).toMatchObject([{ subject: operation, verdict: { outcome: "pass" } }]);
});
