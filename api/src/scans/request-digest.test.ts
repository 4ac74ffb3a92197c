import { scanSubmissionSchema } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { requestDigest } from "./request-digest.ts";

const url = "https://example.com/v1";
const digest = (body: object, keyed = (text: string) => `keyed ${text.length}`): string =>
  requestDigest(scanSubmissionSchema.parse(body), keyed);
const identity = { name: "alice", headers: { Authorization: "Bearer s3cret", "X-Key": "k" } };

describe("the digest of a request", () => {
  test("the digest of a request is equal regardless of the notation", () => {
    expect(digest({ url })).toBe(digest({ url: "https://EXAMPLE.com/v1" }));
    const reordered = {
      headers: { "X-Key": "k", Authorization: "Bearer s3cret" },
      name: "alice",
      role: "user",
    };
    const keyed = (text: string): string => text;
    expect(digest({ identities: [reordered], url }, keyed)).toBe(
      digest({ url, identities: [identity] }, keyed),
    );
  });

  test("differs with each field", () => {
    const others = [
      ...[{ url }, { url: `${url}/` }, { url, specUrl: url }, { url, context: "public" }],
      ...[
        { url, include: ["GET"] },
        { url, exclude: ["GET"] },
        { url, include: [] },
      ],
      { url, identities: [identity] },
      { url, identities: [identity], expectations: [{ role: "user", deny: ["/admin/**"] }] },
      { url, identitySet: "staging" },
      { url, mode: "active" },
      { url, mode: "active", include: ["GET"] },
    ];
    expect(new Set(others.map((each) => digest(each))).size).toBe(others.length);
  });

  test("the digest of a request without filters and identities is the same as in releases before them", () => {
    expect(digest({ url })).toBe("b0980566c1b11cba4ff78f9ec23ab50bbf7334a72f87c86ec7845ed546a07c33");
  });

  test("a request in safe mode has the digest of one without a mode", () => {
    for (const more of [{}, { include: ["GET"] }, { identitySet: "staging" }])
      expect(digest({ url, mode: "safe", ...more })).toBe(digest({ url, ...more }));
  });

  test("the digest of a request with identities is made with a key and nothing else", () => {
    expect(digest({ url, identities: [identity] }, () => "keyed")).toBe("keyed");
    const unused = (): string => {
      throw new Error("needs no key");
    };
    expect(digest({ url, include: ["GET"] }, unused)).toMatch(/^[0-9a-f]{64}$/);
  });
});
