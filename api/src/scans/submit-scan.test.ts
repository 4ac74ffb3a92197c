import { scanRequestSchema } from "@glovebox/contract";
import { expect, test } from "vitest";
import { parseInput } from "../http/route.ts";
import { requestDigest, submitScan } from "./submit-scan.ts";

const parsed = (body: unknown) => parseInput(scanRequestSchema, body, submitScan.fieldErrors);

const url = "https://example.com/v1";

test("a whole request is read in its normal form", () => {
  const request = parsed({
    url: "HTTPS://EXAMPLE.com:443/v1",
    specUrl: `${url}.json`,
    context: "medical",
  });
  expect(request).toEqual({ url, specUrl: `${url}.json`, context: "medical" });
});

test.each([
  [{ url, URL: url }, "URL: is not a known field"],
  [{ url, "a b\n": 1 }, "a field with an unusual name: is not a known field"],
  [{ url, ["x".repeat(65)]: 1 }, "a field with an unusual name: is not a known field"],
  [[], "body: must be a JSON object"],
  [{ url, context: "PUBLIC" }, "context: must be one of financial, medical, public, internal"],
])("%j is refused: %s", (body, message) => {
  expect(() => parsed(body)).toThrow(message);
});

test("the digest tells requests apart, and not their notation", () => {
  const digest = (body: object): string => requestDigest(parsed(body));
  expect(digest({ url })).toBe(digest({ url: "https://EXAMPLE.com/v1" }));
  const others = [{ url }, { url: `${url}/` }, { url, specUrl: url }, { url, context: "public" }].map(digest);
  expect(new Set(others).size).toBe(others.length);
});
