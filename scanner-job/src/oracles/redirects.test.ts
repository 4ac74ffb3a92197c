import { expect, it } from "vitest";
import { aReply } from "../testing/samples.ts";
import { redirectTarget } from "./redirects.ts";

it.each([
  [302, "/docs", "https://api.example/docs"],
  [301, "//other.invalid/x", "https://other.invalid/x"],
  [200, "https://other.invalid/", undefined],
  [302, "http://[", undefined],
])("a %i to %s leads to %s", (status, location, expected) => {
  expect(redirectTarget(aReply({ status, headers: { location } }))?.href).toBe(expected);
});

it("a redirect without a place leads nowhere", () =>
  expect(redirectTarget(aReply({ status: 304 }))).toBeUndefined());
