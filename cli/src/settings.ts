import { resolve } from "node:path";
import { API_SETTINGS } from "@glovebox/api/settings";
import {
  SHARED_SETTINGS,
  anyText,
  oneOf,
  optional,
  postgresUrl,
  readSettings,
  setting,
  type SettingsOf,
  wholeNumber,
} from "@glovebox/settings";
import { readCertificates } from "./certificates.ts";

/** The settings of `glovebox serve`, of which the other commands take those that they need. */
export const SERVE_SETTINGS = {
  ...API_SETTINGS,
  dataDir: setting({
    variable: "GLOVEBOX_DATA_DIR",
    type: "directory",
    default: ".glovebox",
    description: "Directory of the embedded database, the certificates of the demo target and the first key.",
    parse: (path) => resolve(path),
  }),
  databaseUrl: setting({
    ...SHARED_SETTINGS.databaseUrl,
    description: "PostgreSQL to use. Unset: an embedded PostgreSQL in the data directory.",
    parse: optional(postgresUrl),
  }),
  identityKeys: setting({
    ...API_SETTINGS.identityKeys,
    description:
      "Keys that encrypt the identities of scans and saved sets, one a line: 32 random bytes in base64. The first encrypts, " +
      "all decrypt. Unset: `identity-keys` in the data directory, created at the first start.",
  }),
  extraCa: setting({
    variable: "GLOVEBOX_EXTRA_CA",
    type: "PEM text or file",
    description: "Additional certificate authorities that scans trust.",
    parse: optional(readCertificates),
  }),
  maxConcurrentScans: setting({
    variable: "GLOVEBOX_MAX_CONCURRENT_SCANS",
    type: "number",
    default: "2",
    description: "Scans that run at the same time, 1 to 64; each takes up to 256 MiB.",
    parse: wholeNumber(1, 64),
  }),
  maxConcurrentScansPerAccount: SHARED_SETTINGS.maxConcurrentScansPerAccount,
  maxConcurrentScansPerHost: SHARED_SETTINGS.maxConcurrentScansPerHost,
  demo: setting({
    variable: "GLOVEBOX_DEMO",
    type: "on or off",
    default: "on",
    description: "Whether `serve` starts the demo target, and may scan it.",
    parse: (text) => oneOf("on", "off")(text) === "on",
  }),
  demoPort: setting({
    variable: "GLOVEBOX_DEMO_PORT",
    type: "port number",
    default: "8443",
    description:
      "Port of the demo target on 127.0.0.1; the next free one where it is in use; 0 selects a free port.",
    parse: wholeNumber(0, 65_535),
  }),
};

export type Settings = SettingsOf<typeof SERVE_SETTINGS>;

/** The settings of the commands that scan from this process. */
export const SCAN_SETTINGS = {
  identities: setting({
    variable: "GLOVEBOX_IDENTITIES",
    type: "YAML or JSON",
    description:
      "Identities that scans sign in as: the contents of an --identity-file, which takes precedence.",
    secret: true,
    parse: optional(anyText),
  }),
  egressAllow: SERVE_SETTINGS.egressAllow,
  dnsServers: SERVE_SETTINGS.dnsServers,
  extraCa: SERVE_SETTINGS.extraCa,
  logLevel: SERVE_SETTINGS.logLevel,
};

/** All settings of the command, or those named, from the environment; see `readSettings`. */
export const parseSettings = <K extends keyof Settings = keyof Settings>(
  environment: NodeJS.ProcessEnv,
  keys?: readonly K[],
): { settings: Pick<Settings, K>; warnings: string[] } => readSettings(SERVE_SETTINGS, environment, keys);
