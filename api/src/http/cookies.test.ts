import { expect, test } from "vitest";
import { clearCookie, readCookie, setCookie } from "./cookies.ts";

const cookie = { name: "__Host-glovebox", maxAgeSeconds: 60 } as const;

test.each([
  [undefined, undefined],
  ["", undefined],
  ["__Host-glovebox=abc", "abc"],
  ["a=b; __Host-glovebox=abc; c=d", "abc"],
  ["__Host-glovebox=", undefined],
  ["__Host-glovebox2=abc", undefined],
  ["x__Host-glovebox=abc", undefined],
  ["glovebox=abc", undefined],
  ["__Host-glovebox=one; __Host-glovebox=two", undefined],
])("in the header %j the value is %j", (header, value) => {
  expect(readCookie(header, cookie)).toBe(value);
});

test("a cookie is for this origin alone, and hidden from scripts", () => {
  expect(setCookie(cookie, "abc")).toBe(
    "__Host-glovebox=abc; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax",
  );
});

test("clearing a cookie has the browser forget it immediately", () => {
  expect(clearCookie(cookie)).toContain("__Host-glovebox=; Path=/; Max-Age=0;");
});
