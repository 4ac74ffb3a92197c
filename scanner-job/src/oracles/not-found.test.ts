import { describe, expect, it } from "vitest";
import { MALFORMED } from "../transport/exchange.ts";
import { anOperation, aResponse, aTargetProfile } from "../testing/samples.ts";
import { isNoBetterThan, notFoundControl } from "./not-found.ts";

const profile = aTargetProfile({ operations: [anOperation({ base: "/api/v1", path: "/users/{id}" })] });

describe("notFoundControl", () => {
  it.each([
    ["/users/7", "/nobodymadethis/nobodymadethis"],
    ["/api/v1/users/7", "/api/v1/nobodymadethis/nobodymadethis"],
    ["/.env", "/.nobodymadethis"],
    ["/backup.sql", "/nobodymadethis.sql"],
    ["/users/?page=2", "/nobodymadethis/?page=2"],
  ])("notFoundControl of %s is %s", (path, twin) => {
    const { url } = notFoundControl({ method: "GET", url: `https://api.example${path}` }, profile);
    expect(url).toBe(`https://api.example${twin}`);
  });

  it("keeps the method, the headers and the body", () => {
    const request = {
      method: "PUT",
      url: "https://api.example/a",
      headers: { accept: "*/*" },
      body: "{",
      form: MALFORMED,
    };
    expect(notFoundControl(request, profile)).toMatchObject({
      method: "PUT",
      headers: { accept: "*/*" },
      body: "{",
    });
  });
});

describe("a response is not better than one to a missing path", () => {
  const json = (status: number, value: unknown) =>
    aResponse({ status, headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
  const page = aResponse({ headers: { "content-type": "text/html" }, body: "<div id=root></div>" });

  it.each([
    [true, "when both are refused in the same way", json(401, { error: "no" }), json(401, { error: "no" })],
    [
      true,
      "when the host repeats any path as a success",
      json(200, { path: "/a" }),
      json(200, { path: "/b" }),
    ],
    [false, "when missing paths are not found", json(404, {}), json(200, { id: 1 })],
    [false, "when missing paths get the page of an app, and this one data", page, json(200, { id: 1 })],
  ])("%s: %s", (expected, _, missing, response) => {
    expect(isNoBetterThan(missing, response)).toBe(expected);
  });
});
