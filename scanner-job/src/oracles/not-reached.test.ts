import { expect, it } from "vitest";
import { aReply } from "../testing/samples.ts";
import { notReached } from "./not-reached.ts";

it.each([
  ["an answer", 200, false],
  ["a refusal of the value", 400, false],
  ["a fault", 500, false],
  ["a demand for credentials", 401, true],
  ["a limit", 429, true],
])("%s (%i) came from before the code: %s", (_, status, expected) => {
  expect(notReached(aReply({ status })) !== undefined).toBe(expected);
});
