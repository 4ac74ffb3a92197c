import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ApiError, ERRORS, ERROR_CODES, errorBodySchema } from "./errors.ts";
import {
  SCAN_FAILURES,
  SCAN_FAILURE_CODES,
  isRefunded,
  ISOLATION_CAUSES,
  isolationFailure,
  type IsolationCause,
  scanFailure,
  scanFailureSchema,
} from "./scan/failure.ts";

/** The rows of a table of docs/errors.md, as cells, found by the heading above it. */
function rowsUnder(heading: string): string[][] {
  const page = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))!;
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("docs/errors.md", () => {
  test("lists every error code with its status and meaning, in the order of the table, and no other", () => {
    const listed = rowsUnder("Codes").map(([code, status, meaning]) => [code, status, meaning]);
    expect(listed).toEqual(
      ERROR_CODES.map((code) => [`\`${code}\``, String(ERRORS[code].status), ERRORS[code].meaning]),
    );
  });

  test("lists every reason for a failed scan, its message, and whether it is charged, and no other", () => {
    const listed = rowsUnder("Why a scan failed").map(([code, message, charged]) => [code, message, charged]);
    const known = SCAN_FAILURE_CODES.map((code) => [
      `\`${code}\``,
      SCAN_FAILURES[code].message,
      isRefunded(code) ? "no" : "yes",
    ]);
    expect(listed).toEqual(known);
  });

  test.each(["Codes", "Why a scan failed"])(
    "says for each row under %s when it happens and what to do",
    (heading) => {
      for (const row of rowsUnder(heading)) {
        expect(row).toHaveLength(5);
        for (const cell of row.slice(3)) expect(cell).toMatch(/^\S.{5,}[.]$/);
      }
    },
  );
});

describe("the table of errors", () => {
  test.each([
    ["invalid_url", 400],
    ["invalid_context", 400],
    ["unauthorized", 401],
    ["forbidden", 403],
    ["not_found", 404],
    ["rate_limit_exceeded", 429],
    ["scan_failed", 500],
    ["invalid_request", 400],
    ["payload_too_large", 413],
    ["unsupported_media_type", 415],
    ["method_not_allowed", 405],
    ["idempotency_conflict", 409],
    ["internal", 500],
    ["unavailable", 503],
  ] as const)("reports %s with %i", (code, status) => {
    expect(ERRORS[code].status).toBe(status);
  });

  test("makes an ApiError with its code, message, headers and cause, and a body of the error's schema", () => {
    const cause = new Error("inner");
    const error = new ApiError("unavailable", "Later.", { headers: { "Retry-After": "5" }, cause });
    expect(error).toMatchObject({
      name: "ApiError",
      code: "unavailable",
      message: "Later.",
      headers: { "Retry-After": "5" },
      cause,
    });
    expect(errorBodySchema.safeParse({ error: { code: error.code, message: error.message } }).success).toBe(
      true,
    );
    expect(new ApiError("invalid_request", "is required", { field: "url" })).toMatchObject({
      message: "url: is required",
      problem: "is required",
      field: "url",
    });
    expect(errorBodySchema.safeParse({ error: { code: "other", message: "" } }).success).toBe(false);
  });
});

describe("a scan's failure", () => {
  test.each(SCAN_FAILURE_CODES)(
    "%s has its standard message, with a detail behind it where one is given",
    (code) => {
      expect(scanFailure(code)).toEqual({ code, message: SCAN_FAILURES[code].message });
      expect(scanFailure(code, "More.").message).toBe(`${SCAN_FAILURES[code].message} More.`);
    },
  );

  test("a scan's failure with an overlong detail is cut to what its schema allows", () => {
    const failure = scanFailure("target_errors", "x".repeat(10_000));
    expect(failure.message).toHaveLength(500);
    expect(scanFailureSchema.safeParse(failure).success).toBe(true);
  });

  test.each(Object.keys(ISOLATION_CAUSES) as IsolationCause[])(
    "a scan's failure of an isolation that was not proven has %s as its reason, beside the message",
    (reason) => {
      const failure = isolationFailure(reason, "A detail.");
      expect(failure).toMatchObject({ code: "isolation_not_proven", reason });
      expect(failure.message).toContain(ISOLATION_CAUSES[reason]);
      expect(scanFailureSchema.parse(failure)).toEqual(failure);
    },
  );

  test("a scan's failure is given back only when the service is to blame", () => {
    expect(SCAN_FAILURE_CODES.filter(isRefunded).toSorted()).toEqual([
      "could_not_start",
      "deadline_exceeded",
      "egress_widened",
      "isolation_not_proven",
      "result_lost",
      "scanner_crashed",
      "seal_broken",
      "service_restarted",
    ]);
  });
});
