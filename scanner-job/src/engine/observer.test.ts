import { expect, it } from "vitest";
import { aResponse, aTargetProfile, anOperation } from "../testing/samples.ts";
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
  description: "The response has a marker.",
  rule: "The response has a marker.",
  remediation: "Remove it.",
  references: {},
  observe: ({ body }) =>
    body.includes("marker") ? { observed: "Seen: marker.", values: ["marker"] } : undefined,
});
const responseTo = (path: string, body: string, sent = "") =>
  aResponse({ request: { method: "GET", url: `https://api.example${path}`, body: sent }, body });

it("what is seen in a response is suspected once at each location", () => {
  const observer = new Observer([check], profile);
  observer.see(responseTo("/things", "a marker"), operation);
  observer.see(responseTo("/things?page=2", "the marker"), operation);
  observer.see(responseTo("/nothing", "a marker"), profile.host);
  expect(observer.takeSuspicions().map(({ subject }) => subject.location.path)).toEqual(["/things", "/"]);
  expect(observer.takeSuspicions()).toEqual([]);
});

it("what the request itself had is not suspected", () => {
  const observer = new Observer([check], profile);
  observer.see(responseTo("/things", "you sent marker", "marker"), operation);
  observer.see(responseTo("/things?q=%6darker", "no result for marker"), operation);
  expect(observer.takeSuspicions()).toEqual([]);
});

const secret = aResponse({
  request: { method: "GET", url: "https://api.example/things?name=*)(uid=*" },
  body: "a marker",
});
const failed = aResponse({ ...secret, status: 500 });
const plain = aResponse({ request: { method: "GET", url: "https://api.example/things" }, body: "a marker" });

it.each<[string, Parameters<Observer["see"]>, boolean]>([
  ["a baseline response", [secret, operation, "baseline"], true],
  ["the response to an attack", [secret, operation, "attack"], false],
  ["the control of an attack, which is one of its kind", [secret, operation, "control"], false],
  ["an attack that the handler failed at", [failed, operation, "attack"], true],
  ["a path that anyone may try", [plain, operation, "attack"], true],
  [
    "a path with a value of an attack in it",
    [plain, { operation, location: { ...operation.location, parameter: "id" } }, "attack"],
    false,
  ],
])("%s is a baseline request or not", (_, [response, subject, role], isBaseline) => {
  const seen: boolean[] = [];
  const observer = new Observer(
    [{ ...check, observe: (_, each) => void seen.push(each.isBaseline) }],
    profile,
  );
  observer.see(aResponse({ ...response, request: { ...response.request } }), subject, role);
  expect(seen).toEqual([isBaseline]);
});

it("the request of an attack stays one when it is sent again to confirm what was observed", () => {
  const seen: boolean[] = [];
  const observer = new Observer(
    [{ ...check, observe: (_, each) => void seen.push(each.isBaseline) }],
    profile,
  );
  observer.see(secret, operation, "attack");
  observer.see(aResponse({ request: secret.request, body: "again" }), operation, "baseline");
  expect(seen).toEqual([false, false]);
});

it("an operation passes when it responded and nothing was seen, and not where a firewall responded", () => {
  const observer = new Observer([check], profile);
  expect(observer.passes(new Set())).toEqual([]);
  observer.see(aResponse({ status: 429 }), operation);
  expect(observer.passes(new Set())).toEqual([]);
  observer.see(responseTo("/things", "nothing"), operation);
  expect(observer.passes(new Set())).toMatchObject([{ subject: operation, verdict: { outcome: "pass" } }]);
});
