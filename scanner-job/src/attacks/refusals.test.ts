import { expect, it } from "vitest";
import { fail } from "../engine/check.ts";
import { anOperation, aResponse } from "../testing/samples.ts";
import type { Probe } from "../engine/probe.ts";
import { isStillRefused, notReached, whereRefused } from "./refusals.ts";

const request = { method: "GET", url: "https://api.example/secret" };
const responding = (...statuses: number[]): Probe =>
  ({ again: () => Promise.resolve(aResponse({ status: statuses.shift()! })) }) as unknown as Probe;

it.each([
  [true, "it is refused every time", Array.from({ length: 10 }, (_, time) => (time % 2 ? 401 : 403))],
  [false, "it is accepted the last time", [...Array<number>(9).fill(401), 200]],
  [false, "it is accepted immediately", [200]],
])("that a request is refused is %s when %s", async (expected, _, statuses) => {
  expect(await isStillRefused(responding(...statuses), request)).toBe(expected);
});

it("a bypass of a refusal proves nothing where the request is refused at times only", async () => {
  const operation = anOperation({ path: "/secret" });
  const refusing = (...later: number[]): Probe => ({
    ...responding(...later),
    withRealIds: () => Promise.resolve(request),
    control: () => Promise.resolve(aResponse({ status: 401, request })),
  });
  const bypassed = () => Promise.resolve(fail("It responded."));
  const always = Array<number>(10).fill(401);
  const outcome = async (probe: Probe) => (await whereRefused(probe, operation, bypassed)).outcome;
  expect(await outcome(refusing(...always))).toBe("fail");
  expect(await outcome(refusing(401, 200))).toBe("inconclusive");
});

it.each([
  ["a response", 200, false],
  ["a refusal of the value", 400, false],
  ["a fault", 500, false],
  ["a demand for credentials", 401, true],
  ["a limit", 429, true],
])("%s (%i) came from before the code: %s", (_, status, expected) => {
  expect(notReached(aResponse({ status })) !== undefined).toBe(expected);
});
