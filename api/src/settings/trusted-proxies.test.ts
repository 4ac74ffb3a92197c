import { SettingsError, readSettings } from "@glovebox/settings";
import { describe, expect, test } from "vitest";
import { API_SETTINGS } from "./api-settings.ts";

const read = (value: string) =>
  readSettings(API_SETTINGS, { GLOVEBOX_TRUST_PROXY: value }).settings.trustProxy;

describe("GLOVEBOX_TRUST_PROXY", () => {
  test.each<[string, number | string]>([
    ["", 0],
    ["0", 0],
    ["2", 2],
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.1.2.3, fd00::/8", "10.1.2.3,fd00::/8"],
  ])("%j is taken as %j", (value, expected) => {
    expect(read(value)).toBe(expected);
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
      "must be a number of proxies from 0 to 10, or a list of their addresses or CIDR ranges, with commas";
    expect(() => read(value)).toThrow(new SettingsError(`GLOVEBOX_TRUST_PROXY: ${reason}`));
  });
});
