import { resolve } from "node:path";
import {
  API_SETTINGS,
  orIssue,
  readSettings,
  setting,
  settingRows,
  type SettingRow,
  type SettingsOf,
  urlOf,
  wholeNumber,
} from "@glovebox/api/settings";
import * as z from "zod";
import { readCertificates } from "./certificates.ts";

export { SettingsError } from "@glovebox/api/settings";

const SETTINGS = {
  port: API_SETTINGS.port,
  host: API_SETTINGS.host,
  dataDir: setting({
    variable: "GLOVEBOX_DATA_DIR",
    type: "directory",
    fallback: ".glovebox",
    meaning: "Where the embedded database, the demo target's certificates and the first key are kept.",
    schema: z.string().transform((path) => resolve(path)),
  }),
  databaseUrl: setting({
    variable: "DATABASE_URL",
    type: "postgres:// URL",
    meaning: "PostgreSQL to use. Unset: an embedded PostgreSQL in the data directory.",
    schema: urlOf(["postgres:", "postgresql:"]).optional(),
  }),
  redisUrl: API_SETTINGS.redisUrl,
  accountsFile: API_SETTINGS.accountsFile,
  egressAllow: API_SETTINGS.egressAllow,
  dnsServers: API_SETTINGS.dnsServers,
  waitSeconds: API_SETTINGS.waitSeconds,
  trustProxy: API_SETTINGS.trustProxy,
  retentionDays: API_SETTINGS.retentionDays,
  usageRetentionDays: API_SETTINGS.usageRetentionDays,
  extraCa: setting({
    variable: "GLOVEBOX_EXTRA_CA",
    type: "PEM text or file",
    meaning: "Certificate authorities that scans trust beside the usual ones.",
    schema: z
      .string()
      .optional()
      .transform(orIssue((value) => (value === undefined ? undefined : readCertificates(value)))),
  }),
  maxConcurrentScans: setting({
    variable: "GLOVEBOX_MAX_CONCURRENT_SCANS",
    type: "number",
    fallback: "2",
    meaning: "Scans that run at the same time, 1 to 64; each takes up to 256 MiB.",
    schema: wholeNumber(1, 64),
  }),
  demo: setting({
    variable: "GLOVEBOX_DEMO",
    type: "on or off",
    fallback: "on",
    meaning: "Whether `serve` starts the demo target, and may scan it.",
    schema: z.enum(["on", "off"], { error: "must be on or off" }).transform((value) => value === "on"),
  }),
  demoPort: setting({
    variable: "GLOVEBOX_DEMO_PORT",
    type: "port number",
    fallback: "8443",
    meaning: "Port of the demo target on 127.0.0.1; 0 takes any free one.",
    schema: wholeNumber(0, 65_535),
  }),
  logLevel: API_SETTINGS.logLevel,
};

export type Settings = SettingsOf<typeof SETTINGS>;

/** All settings of the command, or those named, from the environment; see `readSettings`. */
export const parseSettings = <K extends keyof Settings = keyof Settings>(
  environment: NodeJS.ProcessEnv,
  keys?: readonly K[],
): { settings: Pick<Settings, K>; warnings: string[] } => readSettings(SETTINGS, environment, keys);

/** Every setting of the command as the documentation lists it. */
export const settingsTable = (): SettingRow[] => settingRows(SETTINGS);
