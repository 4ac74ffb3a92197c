import { readSettings } from "@glovebox/settings";
import { describe, expect, test } from "vitest";
import { CANARY_SETTINGS, parseAddresses, parseHostPorts } from "./settings.ts";

test("targets are names and addresses with a port", () => {
  expect(parseHostPorts("canary.glovebox.svc:8099, 10.0.0.9:1,[fd00::9]:65535")).toEqual([
    { host: "canary.glovebox.svc", port: 8099 },
    { host: "10.0.0.9", port: 1 },
    { host: "fd00::9", port: 65_535 },
  ]);
});

test.each([
  "canary",
  "canary:",
  "canary:0",
  "canary:65536",
  "fd00::9:8099",
  "[10.0.0.9]:1",
  ":8099",
  "a b:1:2",
])("%j is not a list of targets", (text) =>
  expect(() => parseHostPorts(text)).toThrow("must be a comma-separated list of host:port"),
);

test.each(["", "host", "10.0.0.9,host"])("%j is not a list of addresses", (text) => {
  expect(() => parseAddresses(text)).toThrow("must be a comma-separated list of IP addresses");
});

describe("the settings of the canary", () => {
  test("the settings of the canary have a default but for the addresses of the pod", () => {
    const { settings } = readSettings(CANARY_SETTINGS, { POD_IPS: "10.0.0.9,fd00::9" });
    expect(settings).toEqual({ addresses: ["10.0.0.9", "fd00::9"], port: 8099, peers: [] });
  });

  test.each([
    ["POD_IPS", {}],
    ["GLOVEBOX_CANARY_PORT", { POD_IPS: "10.0.0.9", GLOVEBOX_CANARY_PORT: "70000" }],
    ["GLOVEBOX_CANARIES", { POD_IPS: "10.0.0.9", GLOVEBOX_CANARIES: "canary" }],
  ])("the settings of the canary that cannot be used are named: %s", (name, environment) => {
    expect(() => readSettings(CANARY_SETTINGS, environment)).toThrow(`${name}: must be`);
  });
});
