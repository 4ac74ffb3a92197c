import { describe, expect, it } from "vitest";
import { ProbeResponse } from "../transport/exchange.ts";
import { isBlocked, isDenied, isSuccess, withoutMeaning } from "./classify.ts";

const response = (status: number, body: string, headers: Record<string, string> = {}): ProbeResponse =>
  new ProbeResponse({
    request: { method: "GET", url: "https://api.example/users/1" },
    status,
    body,
    headers,
  });
const json = (status: number, value: unknown): ProbeResponse =>
  response(status, JSON.stringify(value), { "content-type": "application/json" });
const html = (status: number, body: string): ProbeResponse =>
  response(status, body, { "content-type": "text/html; charset=utf-8" });

describe("a response", () => {
  it.each([
    ["an object", json(200, { id: 1 }), "success"],
    ["a list", json(200, [{ id: 1 }]), "success"],
    ["an object whose status is a word of the domain", json(200, { id: 1, status: "shipped" }), "success"],
    ["an object whose code is of the domain", json(200, { id: 1, code: "EUR" }), "success"],
    ["an object with an empty error", json(200, { error: null, data: [] }), "success"],
    ["no content", response(204, ""), "success"],
    ["a 401", json(401, {}), "denied"],
    ["a 403", html(403, "Forbidden"), "denied"],
    ["a redirect to the login", response(302, "", { location: "/login?next=/users/1" }), "denied"],
    ["a login page with status 200", html(200, '<form><input name="p" type="password"></form>'), "denied"],
    [
      "a denial in JSON with status 200",
      json(200, { success: false, message: "Authentication required" }),
      "denied",
    ],
    ["a denial in JSON by its code", json(200, { code: 401, message: "Unauthorized" }), "denied"],
    ["a challenge of a firewall", html(403, "<title>Attention Required!</title>"), "blocked"],
    ["a bot check with status 200", html(200, "Checking your browser before accessing"), "blocked"],
    ["a 429", json(429, {}), "blocked"],
    ["an error in JSON with status 200", json(200, { error: "No such user" }), "neither"],
    [
      "an error status in JSON with status 200",
      json(200, { statusCode: 404, message: "Not here" }),
      "neither",
    ],
    ["a redirect elsewhere", response(301, "", { location: "/v2/users/1" }), "neither"],
    ["a method that is not allowed", json(405, { error: "Access denied: method not allowed" }), "neither"],
    ["a value that is not allowed", json(422, { error: "The value is not allowed" }), "neither"],
    ["a 404", json(404, { error: "Not found" }), "neither"],
    ["a 500", json(500, {}), "neither"],
  ])("a response with %s is %s", (_, seen, expected) => {
    const judged = isBlocked(seen)
      ? "blocked"
      : isSuccess(seen)
        ? "success"
        : isDenied(seen)
          ? "denied"
          : "neither";
    expect(judged).toBe(expected);
  });
});

it.each([
  ["a fault of the target", json(503, {}), /status 503/],
  ["throttling", json(429, {}), /limit/],
  ["a firewall's page", html(403, "<title>Attention Required!</title>"), /firewall/],
])("%s is a response without meaning, with a reason", (_, seen, reason) => {
  expect(withoutMeaning(seen)).toMatch(reason);
});

it.each([200, 302, 400, 401, 404])("a response of the API with status %i has a meaning", (status) => {
  expect(withoutMeaning(json(status, {}))).toBeUndefined();
});
