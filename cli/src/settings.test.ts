import { resolve } from "node:path";
import { SettingsError } from "@glovebox/settings";
import { describe, expect, test } from "vitest";
import { parseSettings } from "./settings.ts";

describe("settings", () => {
  test("an empty environment gives every default", () => {
    const { settings, warnings } = parseSettings({});
    expect(settings).toEqual({
      port: 8080,
      host: "127.0.0.1",
      dataDir: resolve(".glovebox"),
      databaseUrl: undefined,
      redisUrl: undefined,
      accountsFile: undefined,
      egressAllow: [],
      dnsServers: [],
      signIn: "password",
      waitSeconds: 25,
      trustProxy: 0,
      retentionDays: { free: 90, starter: 90, pro: 90, enterprise: 90 },
      usageRetentionDays: 400,
      auditRetentionDays: 400,
      webhooks: true,
      extraCa: undefined,
      maxConcurrentScans: 2,
      maxConcurrentScansPerAccount: 5,
      maxConcurrentScansPerHost: 2,
      demo: true,
      demoPort: 8443,
      logLevel: "info",
    });
    expect(warnings).toEqual([]);
  });

  test.each([
    ["PORT", "8081", { port: 8081 }],
    ["PORT", "", { port: 8080 }],
    ["GLOVEBOX_DATA_DIR", "/srv/glovebox", { dataDir: "/srv/glovebox" }],
    ["DATABASE_URL", "postgres://user@db/glovebox", { databaseUrl: "postgres://user@db/glovebox" }],
    ["REDIS_URL", "rediss://cache:6380", { redisUrl: "rediss://cache:6380" }],
    ["GLOVEBOX_EGRESS_ALLOW", "10.0.0.0/8", { egressAllow: [{ kind: "range", cidr: "10.0.0.0/8" }] }],
    ["GLOVEBOX_WAIT_SECONDS", "0", { waitSeconds: 0 }],
    ["GLOVEBOX_TRUST_PROXY", "10.0.0.0/8, fd00::1", { trustProxy: "10.0.0.0/8,fd00::1" }],
    ["GLOVEBOX_DEMO", "off", { demo: false }],
  ])("%s=%s is taken", (variable, value, expected) => {
    expect(parseSettings({ [variable]: value }).settings).toMatchObject(expected);
  });

  test.each([
    ["PORT", "http", "PORT: must be a whole number from 0 to 65535"],
    ["PORT", "65536", "PORT: must be a whole number from 0 to 65535"],
    ["PORT", "-1", "PORT: must be a whole number from 0 to 65535"],
    ["GLOVEBOX_HOST", "0.0.0.0/0", "GLOVEBOX_HOST: must be an IP address or a host name"],
    [
      "DATABASE_URL",
      "mysql://user:secret@db",
      "DATABASE_URL: must be a URL that starts with postgres:// or postgresql://",
    ],
    ["REDIS_URL", "localhost:6379", "REDIS_URL: must be a URL that starts with redis:// or rediss://"],
    ["GLOVEBOX_WAIT_SECONDS", "121", "GLOVEBOX_WAIT_SECONDS: must be a whole number from 0 to 120"],
    ["GLOVEBOX_WAIT_SECONDS", "2.5", "GLOVEBOX_WAIT_SECONDS: must be a whole number from 0 to 120"],
    [
      "GLOVEBOX_EXTRA_CA",
      "/no/such/file",
      "GLOVEBOX_EXTRA_CA: is neither PEM text nor a file that can be read",
    ],
    [
      "GLOVEBOX_EXTRA_CA",
      "-----BEGIN NOTHING-----",
      "GLOVEBOX_EXTRA_CA: contains no certificate in PEM format",
    ],
    [
      "GLOVEBOX_MAX_CONCURRENT_SCANS",
      "0",
      "GLOVEBOX_MAX_CONCURRENT_SCANS: must be a whole number from 1 to 64",
    ],
    ["GLOVEBOX_DEMO", "no", "GLOVEBOX_DEMO: must be on or off"],
    [
      "GLOVEBOX_LOG_LEVEL",
      "loud",
      "GLOVEBOX_LOG_LEVEL: must be trace, debug, info, warn, error, fatal or silent",
    ],
  ])("%s=%s is refused with one line that names it and the reason", (variable, value, message) => {
    expect(() => parseSettings({ [variable]: value })).toThrow(new SettingsError(message));
  });

  test("a range that cannot be read is refused by the name of its setting", () => {
    expect(() => parseSettings({ GLOVEBOX_EGRESS_ALLOW: "10.0.0.1/8" })).toThrow(
      /^GLOVEBOX_EGRESS_ALLOW: .*10\.0\.0\.1\/8/,
    );
  });

  test("a GLOVEBOX_ variable that is not a setting is warned of, with the one it most likely means", () => {
    const { warnings } = parseSettings({ GLOVEBOX_DATADIR: "/x", GLOVEBOX_Q: "1", HOME: "/root" });
    expect(warnings).toEqual([
      "GLOVEBOX_DATADIR is not a setting and is ignored; did you mean GLOVEBOX_DATA_DIR?",
      "GLOVEBOX_Q is not a setting and is ignored",
    ]);
  });

  test("a setting that was not asked for is not judged", () => {
    expect(parseSettings({ PORT: "nonsense" }, ["logLevel"]).settings).toEqual({ logLevel: "info" });
  });
});
