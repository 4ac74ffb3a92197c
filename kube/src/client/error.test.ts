import { describe, expect, test } from "vitest";
import {
  isAlreadyExists,
  isConflict,
  isGone,
  isNotFound,
  isRetryable,
  type KubeError,
  retryAfterMs,
  statusError,
  toKubeError,
} from "./error.ts";

const refusal = (code: number, reason?: string, headers: Record<string, string> = {}): KubeError =>
  statusError("create jobs", code, { body: JSON.stringify({ kind: "Status", code, reason }), headers });

const kinds = { isNotFound, isAlreadyExists, isConflict, isGone, isRetryable };

describe("a response of the API", () => {
  test.each([
    [404, "NotFound", ["isNotFound"]],
    [409, "AlreadyExists", ["isAlreadyExists"]],
    [409, "Conflict", ["isConflict"]],
    [409, undefined, ["isConflict"]],
    [410, "Expired", ["isGone"]],
    [429, "TooManyRequests", ["isRetryable"]],
    [500, "InternalError", ["isRetryable"]],
    [503, "ServiceUnavailable", ["isRetryable"]],
    [504, "Timeout", ["isRetryable"]],
    [403, "Forbidden", []],
    [422, "Invalid", []],
  ])("a response of the API of %i %s is %j and nothing else", (code, reason, expected) => {
    const error = refusal(code, reason);
    expect(Object.keys(kinds).filter((kind) => kinds[kind as keyof typeof kinds](error))).toEqual(expected);
    expect(error).toMatchObject({ code, reason });
  });

  test("says how long to wait by its header, or by its Status object", () => {
    expect(retryAfterMs(refusal(429, "TooManyRequests", { "retry-after": "7" }))).toBe(7000);
    const body = { reason: "Timeout", details: { retryAfterSeconds: 3 } };
    expect(retryAfterMs(statusError("x", 504, { body, headers: {} }))).toBe(3000);
    expect(retryAfterMs(refusal(429))).toBeUndefined();
  });

  test("leaves nothing of its body and headers in the message", () => {
    const body = JSON.stringify({ reason: "Invalid", message: "secret" });
    const error = statusError("create jobs", 422, { body, headers: { h: "secret" } });
    expect(error.message).toBe("create jobs: 422 Invalid");
    expect(JSON.stringify(error) + String(error.cause)).not.toContain("secret");
  });

  test.each(["not JSON", "null", '"text"', '{"reason":{}}'])(
    "a response of the API with the body %s has a code only",
    (body) => {
      expect(statusError("x", 500, { body, headers: {} })).toMatchObject({
        code: 500,
        reason: undefined,
      });
    },
  );
});

describe("what the server says for people", () => {
  test("what the server says for people is kept in one line and within bounds, and is not part of the message", () => {
    const body = { reason: "Forbidden", message: `quota:\n  ${"x".repeat(900)}` };
    const error = statusError("create jobs", 403, { body, headers: {} });
    expect(error.message).toBe("create jobs: 403 Forbidden");
    expect(error.detail).toMatch(/^quota: x+$/);
    expect(error.detail).toHaveLength(400);
  });
});

describe("no response", () => {
  test("no response is retryable and keeps its cause", () => {
    const cause = Object.assign(new Error("closed"), { code: "UND_ERR_SOCKET" });
    const error = toKubeError("get jobs", cause);
    expect(error.message).toBe("get jobs: no response");
    expect(error.cause).toBe(cause);
    expect(isRetryable(error)).toBe(true);
  });

  test("no response by a mistake of ours is not retryable", () => {
    const error = toKubeError("get jobs", new TypeError("x is not a function"));
    expect(error.message).toBe("get jobs: Unexpected");
    expect(isRetryable(error)).toBe(false);
  });

  test.each([
    Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
    Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
  ])("because of the network is retryable: %s", (cause) => {
    expect(isRetryable(toKubeError("get jobs", cause))).toBe(true);
  });

  test("no response in time is a timeout", async () => {
    const signal = AbortSignal.timeout(1);
    await new Promise((aborted) => signal.addEventListener("abort", aborted));
    expect(toKubeError("get jobs", signal.reason)).toMatchObject({ code: undefined, reason: "Timeout" });
  });
});
