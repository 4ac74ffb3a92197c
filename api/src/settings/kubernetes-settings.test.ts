import { SettingsError, readSettings } from "@glovebox/settings";
import { describe, expect, test } from "vitest";
import { KUBERNETES_SETTINGS } from "./kubernetes-settings.ts";

const DATABASE_URL = "postgres://api@db/glovebox";
const read = (environment: Record<string, string>) =>
  readSettings(KUBERNETES_SETTINGS, { DATABASE_URL, ...environment });

describe("the settings of the API on Kubernetes", () => {
  test("the settings of the API on Kubernetes with a database alone are every default", () => {
    expect(read({}).settings).toEqual({
      port: 8080,
      host: "0.0.0.0",
      redisUrl: undefined,
      accountsFile: undefined,
      egressAllow: [],
      dnsServers: [],
      signIn: "password",
      webhooks: true,
      waitSeconds: 25,
      logLevel: "info",
      databaseUrl: DATABASE_URL,
      migrate: "off",
      namespace: "glovebox-scans",
      scanNamespaces: [],
      kubeconfig: undefined,
      sweepSeconds: 10,
      trustProxy: 0,
      retentionDays: { free: 90, starter: 90, pro: 90, enterprise: 90 },
      usageRetentionDays: 400,
      auditRetentionDays: 400,
      maxDatabaseConnections: 10,
    });
  });

  test("list the other namespaces of Scans", () => {
    expect(read({ GLOVEBOX_SCAN_NAMESPACES: "team-a, team-b" }).settings.scanNamespaces).toEqual([
      "team-a",
      "team-b",
    ]);
  });

  test.each([
    ["DATABASE_URL", "", "DATABASE_URL: must be a URL that starts with postgres:// or postgresql://"],
    ["DATABASE_URL", "db", "DATABASE_URL: must be a URL that starts with postgres:// or postgresql://"],
    ["GLOVEBOX_NAMESPACE", "Scans", "GLOVEBOX_NAMESPACE: must be the name of a namespace"],
    ["GLOVEBOX_NAMESPACE", "a/../b", "GLOVEBOX_NAMESPACE: must be the name of a namespace"],
    ["GLOVEBOX_SCAN_NAMESPACES", "a, B", "GLOVEBOX_SCAN_NAMESPACES: must be the name of a namespace"],
    ["GLOVEBOX_MIGRATE", "on", "GLOVEBOX_MIGRATE: must be off or auto"],
    ["GLOVEBOX_SWEEP_SECONDS", "0", "GLOVEBOX_SWEEP_SECONDS: must be a whole number from 1 to 3600"],
    [
      "GLOVEBOX_USAGE_RETENTION_DAYS",
      "61",
      "GLOVEBOX_USAGE_RETENTION_DAYS: must be a whole number from 62 to 3650",
    ],
    [
      "GLOVEBOX_RETENTION_DAYS",
      "free=0",
      "GLOVEBOX_RETENTION_DAYS: free must be a whole number from 1 to 3650",
    ],
  ])("%s=%s is refused with one line that names it and the reason", (variable, value, message) => {
    expect(() => read({ [variable]: value })).toThrow(new SettingsError(message));
  });
});
