import { expect } from "vitest";
import type { TestResponse } from "./requests.ts";

/** Headers of every response of the service (docs/specification.md, "Limits"; docs/decisions.md, "Errors"). */
export function expectStandardHeaders({ headers }: TestResponse): void {
  for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"])
    expect(headers.get(name), name).toMatch(/^\d+$/);
  const reset = Number(headers.get("x-ratelimit-reset")) - Date.now() / 1000;
  expect(reset).toBeGreaterThan(-5);
  expect(reset).toBeLessThan(65);
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.has("x-powered-by")).toBe(false);
}

/** Also that the body is an error and says nothing of the inside. */
export function expectError(response: TestResponse, status: number, code: string): void {
  expect([response.status, response.json?.error?.code], response.text).toEqual([status, code]);
  expect(Object.keys(response.json)).toEqual(["error"]);
  const { field, message } = response.json.error;
  if (field !== undefined) expect(message).toMatch(new RegExp(`^${field}: `));
  expect(response.json.error.message).not.toMatch(
    /\n|:\d+:\d+|node_modules|\.ts\b|gbx_|select |ECONN|postgres/i,
  );
  expectStandardHeaders(response);
}
