import { regexpSteps } from "@glovebox/domain/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactHeaders, redactText } from "./redact.ts";

describe("redactText", () => {
  it.each([
    ["a JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r", "dBjftJeZ4CVP"],
    ["a password in JSON", '{"password":"hunter2hunter2"}', "hunter2"],
    ["a password in an env file", "DB_PASSWORD=s3cr3tvalue\nPORT=1", "s3cr3t"],
    ["a token", '"accessToken": "abc123def456"', "abc123def456"],
    ["a social security number", '{"value":"123-45-6789"}', "123-45-6789"],
    ["a card number", "4111 1111 1111 1111", "1111 1111"],
    ["a password hash", `$2b$10$${"a".repeat(53)}`, "a".repeat(53)],
    ["a cloud key", "key AKIAIOSFODNN7EXAMPLE here", "AKIAIOSFODNN7EXAMPLE"],
    ["the password of an address", "postgres://app:q7Rt2LkV@db.acme.test/app", "q7Rt2LkV"],
    ["a registry's token", `npm_${"q7Rt2LkV".repeat(4)}x`, "q7Rt2LkV"],
    ["a private key", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "MIIE"],
  ])("masks %s", (_, text, secret) => {
    expect(redactText(text)).not.toContain(secret);
    expect(redactText(text)).toContain("[masked]");
  });

  it("keeps the name of what it masks, so that the reader sees what was exposed", () => {
    expect(redactText('{"passwordHash":"abcdef"}')).toBe('{"passwordHash":"[masked]"}');
  });

  it.each([
    ["an e-mail address", '{"email":"ada.byron@larkfield.test"}', '{"email":"a***@larkfield.test"}'],
    ["an address in running text", "Ask ada+x@mail.example.com.", "Ask a***@mail.example.com."],
    ["a date of birth", '{"dateOfBirth":"1985-12-10"}', '{"dateOfBirth":"19***"}'],
    ["a telephone number", '{"phone": "+44 20 7946 0101"}', '{"phone": "+4***"}'],
    [
      "a person's names",
      '{"first_name":"Ada","lastName":"Byron"}',
      '{"first_name":"Ad***","lastName":"By***"}',
    ],
    [
      "a name beside other personal data",
      '{"name":"Ada Byron","dob":"1985-12-10"}',
      '{"name":"Ad***","dob":"19***"}',
    ],
  ])("leaves of %s enough to prove that it was there", (_, text, masked) => {
    expect(redactText(text)).toBe(masked);
  });

  it.each([
    ["the name of a product", '{"name":"Blue Lamp","price":3}'],
    ["a handle", "@ada wrote"],
    ["a package", "swagger-ui-dist@3.20.0"],
  ])("leaves %s as it is", (_, text) => {
    expect(redactText(text)).toBe(text);
  });

  it.each(["a@", "a.", "a@a.", '"name":"', '"phone":"', "1 ", "a:", "password", "api-key-"])(
    "takes a few hundred steps for each character that it keeps of a long row of %j",
    (part) => {
      const [steps, ofTwice] = [50_000, 100_000].map((times) =>
        regexpSteps(() => redactText(part.repeat(times))),
      );
      expect(steps).toBeLessThan(500 * 2 * 2_048);
      expect(ofTwice).toBe(steps);
    },
  );

  it("always gives short, well-formed text without NUL", () => {
    const hostile = fc.string({ unit: "binary", maxLength: 5_000 }).map((text) => `\0\ud800${text}`);
    fc.assert(
      fc.property(hostile, (text) => {
        const safe = redactText(text);
        return safe.isWellFormed() && !safe.includes("\0") && safe.length <= 2_049;
      }),
    );
  });
});

describe("redactHeaders", () => {
  it("keeps a cookie's name and attributes and masks its value", () => {
    expect(redactHeaders({ "set-cookie": "sid=topsecret; Path=/\nlang=en" })).toEqual({
      "set-cookie": "sid=[masked]; Path=/\nlang=[masked]",
    });
  });

  it("masks credentials", () => {
    expect(redactHeaders({ Authorization: "Bearer abcdefgh" })).toEqual({ Authorization: "[masked]" });
  });
});
