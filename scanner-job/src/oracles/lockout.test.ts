import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import { lockoutIn } from "./lockout.ts";

const saying = (...texts: string[]) =>
  texts.map((error) => aResponse({ status: 401, body: JSON.stringify({ error }) }));
const wrong = "The password is wrong";
const withStatus = (...statuses: number[]) => statuses.map((status) => aResponse({ status, body: "{}" }));
const taking = (...times: number[]) => times.map((elapsedMs) => aResponse({ elapsedMs }));

describe("a lockout", () => {
  it.each([
    ["429 at the end", withStatus(401, 429), "429 was returned"],
    ["503 that recurs", withStatus(401, 401, 401, 503, 503, 503), "503 was returned"],
    [
      "words of a lock that recur",
      saying(...Array<string>(5).fill(wrong), ...Array<string>(3).fill("Too many attempts")),
      "the caller was locked out",
    ],
    ["another status that recurs", withStatus(401, 401, 401, 403, 403, 403), "the status changed"],
    [
      "other words that recur",
      saying(wrong, wrong, wrong, "Call us", "Call us", "Call us"),
      "the text changed",
    ],
    ["delays that recur", taking(10, 12, 11, 10, 12, 400, 500, 600), "the responses became slower"],
  ])("a lockout is %s", (_, responses, sign) => {
    expect(lockoutIn(responses)?.sign).toBe(sign);
  });

  it.each([
    ["equal refusals", saying(...Array<string>(8).fill(wrong))],
    ["other words once", saying(wrong, wrong, wrong, wrong, wrong, "Call us", wrong, wrong)],
    ["a fault once", withStatus(401, 401, 401, 401, 401, 503, 401, 401)],
    ["other words in the last response alone", saying(...Array<string>(7).fill(wrong), "Call us")],
    ["a fault in the last response alone", withStatus(401, 401, 401, 401, 401, 401, 401, 503)],
    ["words of a lock in every refusal", saying(...Array<string>(8).fill("Wrong, or the account is locked"))],
    ["a fault that recurs", withStatus(401, 401, 401, 401, 401, 500, 500, 500)],
    ["one delay", taking(10, 12, 11, 10, 12, 900, 10, 11)],
    ["too few attempts to recur", saying(wrong, wrong, wrong, "Call us")],
  ])("a lockout is not seen in %s", (_, responses) => {
    expect(lockoutIn(responses)).toBeUndefined();
  });

  it("a lockout is not seen in refusals of random words, regardless of which", () => {
    const word = fc.stringMatching(/^[a-z]{8,12}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 8, maxLength: 8 }), (words) => {
        expect(lockoutIn(saying(...words.map((one) => `Wrong (${one})`)))).toBeUndefined();
      }),
    );
  });
});
