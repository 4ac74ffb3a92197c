import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MASK, SecretMask } from "./secret-mask.ts";

const SECRET = `p"ss/w<rd+ü&=42`;

function maskOf(...secrets: string[]): SecretMask {
  const mask = new SecretMask();
  mask.add(secrets);
  return mask;
}

describe("a secret is masked where a target returns it", () => {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  it.each<[string, string]>([
    ["as it is", `hello ${SECRET}!`],
    ["in JSON", JSON.stringify({ echoed: SECRET })],
    ["in a URL", `https://api.example/?q=${encodeURIComponent(SECRET)}`],
    ["in a URL-encoded form", new URLSearchParams({ q: SECRET }).toString()],
    ["in base64", base64(SECRET)],
    ["in base64 behind a name", base64(`alice:${SECRET}`)],
    ["in base64 behind a longer name, with more after it", base64(`alice2:${SECRET}:role`)],
    ["in base64url", Buffer.from(`a:${SECRET}`).toString("base64url")],
    ["in hexadecimal", Buffer.from(SECRET).toString("hex")],
  ])("%s", (_, text) => {
    const masked = maskOf(SECRET).mask(text);
    expect(masked).toContain(MASK);
    expect(masked).not.toContain(SECRET);
  });
});

it("base64 of a secret at any offset leaves no part of it to decode", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 10 }),
      fc.string({ minLength: 8 }),
      fc.string({ maxLength: 10 }),
      (before, secret, after) => {
        const masked = maskOf(secret).mask(Buffer.from(before + secret + after).toString("base64"));
        expect(Buffer.from(masked.replaceAll(MASK, ""), "base64").toString()).not.toContain(secret);
        expect(masked).toContain(MASK);
      },
    ),
  );
});

it("a secret that contains another is masked as a whole", () => {
  expect(maskOf("token-123", "token-123-refresh").mask("a token-123-refresh b")).toBe("a [masked] b");
});

it("values that are too short to be told from other text are left alone", () => {
  expect(maskOf("user").mask("the user list")).toBe("the user list");
});

describe("a report", () => {
  const mask = maskOf("hunter2!", "critical", "severity", "findings");

  it("a report is masked where it quotes the target, at every depth", () => {
    const exchange = {
      request: { url: "/?p=hunter2!" },
      response: { status: 200, headers: { a: "hunter2!" } },
    };
    expect(
      mask.maskQuotes({
        findings: [{ observed: "hunter2! was shown", evidence: { exchanges: [exchange] } }],
      }),
    ).toEqual({
      findings: [
        {
          observed: `${MASK} was shown`,
          evidence: {
            exchanges: [{ request: { url: `/?p=${MASK}` }, response: { status: 200, headers: { a: MASK } } }],
          },
        },
      ],
    });
  });

  it("keeps its own words, even if a target chooses them as its tokens", () => {
    const report = { findings: [{ severity: "critical", category: "inputValidation" }] };
    expect(mask.maskQuotes(report)).toEqual(report);
  });
});
