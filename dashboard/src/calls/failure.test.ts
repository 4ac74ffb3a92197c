import { TRPCClientError } from "@trpc/client";
import { describe, expect, test } from "vitest";
import { failureInWords, problemOf } from "./failure.ts";

const data = (code: string, fields?: Record<string, string[]>) =>
  ({ code, httpStatus: 400, requestId: "r", ...(fields && { fields }) }) as never;

describe("instead of what could not be loaded", () => {
  test.each([
    ["an unknown id", "id: not found", data("not_found"), "Not found", false],
    [
      "an id that cannot be one",
      "id: Invalid string: must match pattern /^scan-/",
      data("invalid_request", { id: ["x"] }),
      "Not found",
      false,
    ],
    [
      "a missing permission",
      "Your role does not include this.",
      data("forbidden"),
      "You do not have permission to see this",
      false,
    ],
    [
      "a fault",
      "The service failed; the request id is r.",
      data("internal"),
      "This could not be loaded",
      true,
    ],
    ["no response", "Glovebox cannot be reached.", undefined, "No response from Glovebox", true],
  ])("%s has text for users", (_, message, data, title, mayPass) => {
    const problem = problemOf({ message, data });
    expect(problem).toMatchObject({ title, mayPass });
    expect(problem.text).not.toMatch(/pattern|invalid string|id:/i);
  });
});

describe("a call without a response of the service", () => {
  test("says that the service cannot be reached", () => {
    const error = failureInWords(new TRPCClientError("Failed to fetch", { cause: new TypeError("x") }));
    expect(error.message).toBe("Glovebox cannot be reached. Check your connection, and try again.");
  });
  test("says that the response was unexpected where it is not JSON, and nothing of JSON", () => {
    const cause = new SyntaxError(`Unexpected token 'o', "oops" is not valid JSON`);
    const error = failureInWords(new TRPCClientError(cause.message, { cause }));
    expect(error.message).toBe("The server sent an unexpected response. Try again in a moment.");
  });
  test("a call without a response of the service is left as it is when the service has responded", () => {
    const error = TRPCClientError.from({
      error: { code: -32_003, message: "No.", data: data("forbidden") },
    } as never);
    expect(failureInWords(error as never)).toBe(error);
  });
});
