import { describe, expect, test } from "vitest";
import { faultLogLine } from "./fault-log.ts";

const FRAME = '{"frame":"ending","status":"completed","size":0,"sha256":"","findings":0}';

describe("a fault of the scanner's own", () => {
  test("a fault of the scanner's own is reported by its type and its location", () => {
    expect(JSON.parse(faultLogLine("cors", new TypeError("x is no function")))).toEqual({
      fault: "cors",
      error: "TypeError",
      at: expect.stringMatching(/fault-log\.test\.ts:\d+:\d+/),
    });
  });

  test.each([
    ["a frame on a separate line", `Unexpected token\n${FRAME}\n`],
    ["what looks like a location in code", `Unexpected token\n    at ${FRAME} (a.ts:1:1)\n`],
    ["a secret", "hunter2"],
  ])(
    "a fault of the scanner's own is reported in one line without its message, which may quote %s",
    (_, message) => {
      const line = faultLogLine("cors", new SyntaxError(message));
      expect(line).not.toContain("\n");
      expect(line).not.toMatch(/frame|hunter2|ending/);
      expect(JSON.parse(line).at).toMatch(/fault-log\.test\.ts/);
    },
  );

  test.each([["hunter2"], [undefined], [{ message: "hunter2" }]])(
    "a fault of the scanner's own that is not an Error, as %j, is reported by its type",
    (thrown) => {
      expect(JSON.parse(faultLogLine("cors", thrown))).toEqual({ fault: "cors", error: typeof thrown });
    },
  );
});
