import { PLAN_NAMES } from "@glovebox/contract";
import { SettingsError, readSettings } from "@glovebox/settings";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { API_SETTINGS, parseRetentionDays } from "./api-settings.ts";

describe("how long scans are kept", () => {
  test.each([
    ["30", { free: 30, starter: 30, pro: 30, enterprise: 30 }],
    ["free=30", { free: 30, starter: 90, pro: 90, enterprise: 90 }],
    [" pro = 1 , enterprise=3650", { free: 90, starter: 90, pro: 1, enterprise: 3650 }],
  ])("%j is taken", (text, days) => {
    expect(parseRetentionDays(text)).toEqual(days);
  });

  const RANGE = "a whole number from 1 to 3650";
  const FORMS = `must be ${RANGE}, or one number for each plan, such as free=30,pro=365`;
  test.each([
    ["0", FORMS],
    ["-1", FORMS],
    ["3651", FORMS],
    ["1.5", FORMS],
    ["free", FORMS],
    ["free=0", `free must be ${RANGE}`],
    ["free=30,pro=-5", `pro must be ${RANGE}`],
    ["free=", `free must be ${RANGE}`],
    ["free=1=2", `free must be ${RANGE}`],
    ["gold=30", '"gold" is not a plan; the plans are free, starter, pro, enterprise'],
    ["toString=30", '"toString" is not a plan; the plans are free, starter, pro, enterprise'],
    ["free=30,", '"" is not a plan; the plans are free, starter, pro, enterprise'],
    ["free=30,free=40", "free is listed twice"],
  ])("%j is refused with the reason", (text, reason) => {
    expect(() => parseRetentionDays(text)).toThrow(new Error(reason));
  });

  test("every accepted value has days from 1 to 3650 for every plan", () => {
    const days = fc.integer({ min: -10, max: 5000 }).map(String);
    const pair = fc.tuple(fc.constantFrom(...PLAN_NAMES, "gold"), days).map((parts) => parts.join("="));
    const list = fc.array(pair, { minLength: 1, maxLength: 5 }).map((pairs) => pairs.join(","));
    fc.assert(
      fc.property(fc.oneof(days, list, fc.string()), (text) => {
        let parsed;
        try {
          parsed = parseRetentionDays(text);
        } catch {
          return;
        }
        expect(Object.keys(parsed)).toEqual([...PLAN_NAMES]);
        for (const value of Object.values(parsed)) expect(value >= 1 && value <= 3650).toBe(true);
      }),
    );
  });
});

const trustProxyOf = (value: string) =>
  readSettings(API_SETTINGS, { GLOVEBOX_TRUST_PROXY: value }).settings.trustProxy;

describe("GLOVEBOX_TRUST_PROXY", () => {
  test.each<[string, number | string]>([
    ["", 0],
    ["0", 0],
    ["2", 2],
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.1.2.3, fd00::/8", "10.1.2.3,fd00::/8"],
  ])("%j is taken as %j", (value, expected) => {
    expect(trustProxyOf(value)).toBe(expected);
  });

  test.each([
    "11",
    "-1",
    "1.5",
    "true",
    "loopback",
    "10.0.0.0/33",
    "0.0.0.0/0",
    "::/0",
    "10.0.0.0/8,",
    "10.0",
  ])("%j is refused with one line that names it and the reason", (value) => {
    const reason =
      "must be a number of proxies from 0 to 10, or a comma-separated list of their addresses or CIDR ranges";
    expect(() => trustProxyOf(value)).toThrow(new SettingsError(`GLOVEBOX_TRUST_PROXY: ${reason}`));
  });
});
