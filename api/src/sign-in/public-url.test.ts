import { expect, test } from "vitest";
import { publicUrlOf, signInRefusal } from "./public-url.ts";

const at = (address: string) => ({ address, port: 8080, family: "IPv4" });

test.each([
  ["127.0.0.1", "http://localhost:8080/"],
  ["::1", "http://localhost:8080/"],
  ["0.0.0.0", undefined],
  ["192.0.2.1", undefined],
])("a service that listens on %s has the address %s unless one is set", (address, expected) => {
  expect(publicUrlOf(undefined, at(address))?.href).toBe(expected);
  expect(publicUrlOf(new URL("https://glovebox.example"), at(address))?.href).toBe(
    "https://glovebox.example/",
  );
});

test.each([
  "https://glovebox.example",
  "http://localhost:8080",
  "http://127.0.0.1:8080",
  "http://[::1]:8080",
])("at %s everybody can sign in", (url) => {
  expect(signInRefusal(new URL(url))).toBeUndefined();
});

test.each([
  "http://glovebox.example",
  "http://localhost.evil.test",
  "http://192.0.2.1",
  "http://127.0.0.1.evil.test",
])("at %s nobody can sign in, and the reason names the setting", (url) => {
  expect(signInRefusal(new URL(url))).toContain("GLOVEBOX_PUBLIC_URL is an http:// address");
});

test("without an address nobody can sign in, and the reason names the setting", () => {
  expect(signInRefusal(undefined)).toContain("Set GLOVEBOX_PUBLIC_URL");
});
