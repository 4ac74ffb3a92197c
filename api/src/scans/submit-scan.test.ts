import { scanSubmissionSchema } from "@glovebox/contract";
import { expect, test } from "vitest";
import { parseInput } from "../http/route.ts";
import { submitScan } from "./submit-scan.ts";

const parsed = (body: unknown) => parseInput(scanSubmissionSchema, body, submitScan.fieldErrors);

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
  [{ url, include: "GET" }, "include: Invalid input: expected array, received string"],
  [
    { url, exclude: ["DELETE", "sometimes"] },
    "exclude.1: must be a method, a path, both, `tag:` or `id:`, as `POST /orders/*`",
  ],
  [{ url, identities: [] }, "identities: is empty"],
  [
    { url, identities: [{ name: "a", headers: { Authorization: "s3cret\n" } }] },
    "identities.0.headers.Authorization: must not contain control characters",
  ],
  [{ url, identities: [{ name: "a", headers: { Host: "s3cret" } }] }, "identities.0.headers.Host: is set by"],
  [
    { url, identities: [{ name: "a", headers: { "s3 cret": "x" } }] },
    "identities.0.headers.a field with an unusual name: must be the name of a header",
  ],
  [{ url, identities: [{ name: "a", header: "s3cret" }] }, "identities.0.header: is not a known field"],
  [
    { url, identities: [{ name: "a", role: "s3cret", query: { k: "v" } }] },
    "identities.0.role: must be one of",
  ],
  [{ url, identities: [{ name: "a" }] }, "identities.0: needs `headers`, `cookies`, `query` or `login`"],
  [{ url, context: "PUBLIC" }, "context: must be one of financial, medical, public, internal"],
])("%j is refused: %s", (body, message) => {
  expect(() => parsed(body)).toThrow(message);
  expect(() => parsed(body)).not.toThrow(/s3.?cret/);
});
