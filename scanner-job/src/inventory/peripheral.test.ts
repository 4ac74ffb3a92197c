import { describe, expect, test } from "vitest";
import { aResponse } from "../testing/samples.ts";
import { isPeripheral } from "./peripheral.ts";

const at = (path: string, body: unknown, type = "application/json"): boolean =>
  isPeripheral(
    { base: "", path, parameters: [] },
    aResponse({
      headers: { "content-type": type },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );

describe("a read without data of the API is peripheral", () => {
  test.each<[string, string, unknown, string?]>([
    ["an OpenAPI document under any name", "/spec-of-this", { openapi: "3.1.0", paths: {} }],
    ["a document in YAML", "/contract", "openapi: 3.0.3\ninfo: {}", "text/plain"],
    ["a health endpoint under its common name", "/healthz", { db: { latency: 3 } }],
    ["a health endpoint of any name, by a state that is fine", "/pulse", { status: "UP", uptime: 12.5 }],
    [
      "one that also names what runs, with its version",
      "/qua",
      { service: "orders", state: "ok", version: "1.4.2" },
    ],
    ["a word alone", "/marco", "pong", "text/plain"],
    ["a page", "/about", "<h1>About</h1>", "text/html; charset=utf-8"],
    ["a style sheet", "/main", "a{}", "text/css"],
    ["a file for crawlers", "/robots.txt", "User-agent: *", "text/plain"],
  ])("%s", (_, path, body, type) => {
    expect(at(path, body, type)).toBe(true);
  });

  test.each<[string, string, unknown]>([
    ["a list of records", "/orders", [{ id: 1, status: "ok" }]],
    ["an object with an id, whose status is fine", "/mine", { id: 7, status: "ready" }],
    ["a profile", "/me", { name: "Ada", email: "ada@mail.example", status: "online" }],
    ["free text beside a state", "/note", { status: "ok", text: "Call me back" }],
    ["records under the name of a health endpoint", "/status", { orders: [{ id: 3 }] }],
    ["an object without a state", "/settings", { colour: "green", size: 4 }],
  ])("a read without data of the API is peripheral but not %s", (_, path, body) => {
    expect(at(path, body)).toBe(false);
  });
});
