import { describe, expect, test } from "vitest";
import { UserError } from "../command-line.ts";
import { parseKeyOptions } from "./options.ts";

describe("options of glovebox keys create", () => {
  const NOW = new Date("2026-11-21T12:00:00Z");
  const GIVEN = { account: "payments", plan: "pro", name: "ci" };

  test("scopes and expiry are taken as given", () => {
    const parsed = parseKeyOptions(
      { ...GIVEN, scopes: "scans:read, scans:write", expires: "2027-01-31" },
      NOW,
    );
    expect(parsed).toEqual({
      ...GIVEN,
      scopes: ["scans:read", "scans:write"],
      expiresAt: new Date("2027-01-31"),
    });
  });

  test.each([
    [{ plan: "gold" }, "--plan: must be one of free, starter, pro, enterprise"],
    [{ account: " " }, "--account: must have 1 to 100 characters"],
    [{ name: "x".repeat(101) }, "--name: must have 1 to 100 characters"],
    [
      { scopes: "scans:delete" },
      "--scopes: must be a list of scans:read, scans:write, webhooks:read, webhooks:write, schedules:read, schedules:write",
    ],
    [{ expires: "soon" }, "--expires: must be a date such as 2027-01-31"],
    [{ expires: "2027-02-31T" }, "--expires: must be a date such as 2027-01-31"],
    [{ expires: "2027-02-31" }, "--expires: must be a date such as 2027-01-31"],
    [{ expires: "2026-11-21" }, "--expires: must be in the future"],
  ])("%o is refused: %s", (change, message) => {
    expect(() => parseKeyOptions({ ...GIVEN, ...change }, NOW)).toThrow(new UserError(message));
  });
});
