import { expect, test } from "vitest";
import { isSameOrigin } from "./same-origin.ts";

const publicUrl = new URL("https://glovebox.example");

test.each([
  [{ "sec-fetch-site": "same-origin" }, true],
  [{ "sec-fetch-site": "same-site" }, false],
  [{ "sec-fetch-site": "cross-site" }, false],
  [{ "sec-fetch-site": "none" }, false],
  [{ "sec-fetch-site": "same-origin, cross-site" }, false],
  [{ "sec-fetch-site": "cross-site", origin: "https://glovebox.example" }, false],
  [{ origin: "https://glovebox.example" }, true],
  [{ origin: "https://glovebox.example.evil.test" }, false],
  [{ origin: "http://glovebox.example" }, false],
  [{ origin: "https://glovebox.example:8443" }, false],
  [{ origin: "null" }, false],
  [{}, false],
])("of a request with %j it is %s that a page of this service sent it", (headers, expected) => {
  expect(isSameOrigin(headers, publicUrl)).toBe(expected);
});

test("without a public URL, Origin proves nothing", () => {
  expect(isSameOrigin({ origin: "https://glovebox.example" }, undefined)).toBe(false);
});
