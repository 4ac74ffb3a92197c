import type { Exchange } from "@glovebox/contract";
import { expect, test } from "vitest";
import { isShownAt } from "./shown-at.ts";

const exchange = (role: Exchange["role"], at: string, allow?: string, headers = {}): Exchange => {
  const [method = "", path = ""] = at.split(" ");
  return {
    role,
    request: { method, url: `https://api.example${path}`, headers },
    response: { status: 200, headers: { ...(allow && { allow }) }, body: "" },
  };
};
const shown = (at: string, ...exchanges: Exchange[]): boolean => {
  const [method = "", path = ""] = at.split(" ");
  const evidence = { rule: "", exchanges, curl: "" };
  return isShownAt({ check: "a/check", location: { method, path }, evidence });
};

test.each<[string, boolean, string, Exchange]>([
  ["an attack on a path of the template", true, "GET /rooms/{id}", exchange("attack", "GET /rooms/7?page=2")],
  ["the path in another form", true, "GET /rooms/{id}", exchange("attack", "GET /ROOMS/7/")],
  ["an attack on another path", false, "GET /rooms", exchange("attack", "GET /guests")],
  ["an attack elsewhere on what is reported of the host", false, "GET /", exchange("attack", "GET /rooms")],
  ["an attack with another method", false, "POST /rooms", exchange("attack", "GET /rooms")],
  ["a response that allows the method", true, "POST /rooms", exchange("attack", "GET /rooms", "PUT, POST")],
  ["what was observed there", true, "GET /rooms", exchange("baseline", "GET /rooms")],
  ["what was observed elsewhere", false, "GET /rooms", exchange("baseline", "GET /guests")],
  ["what was observed of the host", true, "GET /", exchange("baseline", "GET /guests")],
  [
    "a header that names the path",
    true,
    "GET /admin",
    exchange("attack", "GET /", undefined, { "x-original-url": "/admin" }),
  ],
])("by %s, a weakness is shown at its location: %s", (_, expected, at, seen) => {
  expect(shown(at, exchange("control", at), seen)).toBe(expected);
});

test("only what is attacked counts, where anything is", () => {
  expect(shown("GET /rooms", exchange("baseline", "GET /rooms"), exchange("attack", "GET /guests"))).toBe(
    false,
  );
});
