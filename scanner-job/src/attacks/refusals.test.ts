import { expect, it } from "vitest";
import { aReply } from "../testing/samples.ts";
import type { Probe } from "../engine/probe.ts";
import { isStillRefused, notReached } from "./refusals.ts";

const request = { method: "GET", url: "https://api.example/secret" };
const answering = (...statuses: number[]): Probe =>
  ({ control: () => Promise.resolve(aReply({ status: statuses.shift()! })) }) as unknown as Probe;

it.each([
  [true, "it is refused both times", [401, 403]],
  [false, "it is answered the second time", [401, 200]],
  [false, "it is answered at once", [200]],
])("is %s when %s", async (expected, _, statuses) => {
  expect(await isStillRefused(answering(...statuses), request)).toBe(expected);
});

it.each([
  ["an answer", 200, false],
  ["a refusal of the value", 400, false],
  ["a fault", 500, false],
  ["a demand for credentials", 401, true],
  ["a limit", 429, true],
])("%s (%i) came from before the code: %s", (_, status, expected) => {
  expect(notReached(aReply({ status })) !== undefined).toBe(expected);
});
