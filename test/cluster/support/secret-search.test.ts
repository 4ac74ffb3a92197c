import { expect, test } from "vitest";
import { findSecret } from "./secret-search.ts";

const SECRET = 's3cr+t/0f "Alice"?';

test.each([
  ["as it is", `Bearer ${SECRET}.`],
  ["in JSON", JSON.stringify({ token: SECRET })],
  ["URL-encoded", `?token=${encodeURIComponent(SECRET)}&a`],
  ["URL-encoded in lower case", `?token=${encodeURIComponent(SECRET).toLowerCase()}`],
  ["as a form", new URLSearchParams({ token: SECRET, a: "b" }).toString()],
  ["in hexadecimal", `\\x00${Buffer.from(SECRET).toString("hex")}00`],
  ...["", "a", "ab", "abc"].flatMap((before) =>
    ["", "y", "yz"].map((after) => [
      `in base64 behind "${before}" and before "${after}"`,
      Buffer.from(before + SECRET + after).toString("base64"),
    ]),
  ),
  ["in base64url", Buffer.from(`Basic ${SECRET}`).toString("base64url")],
])("a secret %s is found", (_, content) => {
  expect(findSecret(SECRET, { here: content, there: "nothing" })).toEqual(["here"]);
});

test("other texts hold no secret", () => {
  const other = "s3cr+t/0f Bob";
  const texts = { plain: other, encoded: Buffer.from(other).toString("base64") };
  expect(findSecret(SECRET, texts)).toEqual([]);
});
