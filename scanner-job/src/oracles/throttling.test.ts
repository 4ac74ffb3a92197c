import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import { limitHeaders, throttlingIn } from "./throttling.ts";

const taking = (...times: number[]) => times.map((elapsedMs) => aResponse({ elapsedMs }));
const respondsWith = (name: string, ...values: string[]) =>
  values.map((value) => aResponse({ headers: { [name]: value } }));

describe("throttlingIn", () => {
  it.each([
    ["a 429 at the end", [aResponse(), aResponse({ status: 429 })], "429 was returned"],
    ["a 503 at the end", [aResponse(), aResponse({ status: 503 })], "503 was returned"],
    ["words of a lock", [aResponse({ body: '{"error":"Too many attempts"}' })], "the caller was locked out"],
    ["growing delays", taking(10, 12, 11, 200, 400, 800), "the responses became slower"],
    [
      "a count down",
      respondsWith("x-ratelimit-remaining", "999", "998"),
      "the responses count down the remaining requests",
    ],
    [
      "a count down in one header",
      respondsWith("ratelimit", '"default";r=50;t=30', '"default";r=49;t=29'),
      "the responses count down the remaining requests",
    ],
  ])("sees %s", (_, responses, seen) => {
    expect(throttlingIn(responses)).toBe(seen);
  });

  it.each([
    "Your account has been suspended",
    "Please wait 30 seconds",
    "Wrong password, 2 attempts left",
    "You have no more tries remaining",
  ])("detects a lock-out with an unchanged status from the text: %s", (text) => {
    const responses = ["Wrong password", text].map((body) => aResponse({ status: 401, body }));
    expect(throttlingIn(responses)).toBe("the caller was locked out");
  });

  it.each([
    ["no response", []],
    ["even responses", taking(10, 12, 11, 12, 10, 11)],
    ["one slow response", taking(10, 12, 11, 10, 900, 11)],
    ["a count that stays", respondsWith("x-ratelimit-remaining", "999", "999")],
    ["a count that is not a number", respondsWith("x-ratelimit-remaining", "many", "few")],
  ])("sees nothing in %s", (_, responses) => {
    expect(throttlingIn(responses)).toBeUndefined();
  });
});

it.each([
  ["ratelimit-limit", 1],
  ["x-ratelimit-remaining", 1],
  ["x-rate-limit-limit", 1],
  ["ratelimit", 1],
  ["retry-after", 1],
  ["x-ratelimited-by", 0],
  ["date", 0],
])("limitHeaders finds in %s %i", (name, count) => {
  expect(limitHeaders(aResponse({ headers: { [name]: "1" } }))).toHaveLength(count);
});
