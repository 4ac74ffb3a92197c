import { resolve } from "node:path";
import * as z from "zod";
import { nearest } from "./nearest.ts";
import { allowances, optionalCertificates, optionalUrl, wholeNumber } from "./setting-schemas.ts";

/** One setting: where it comes from, what it may be, and what it is for. */
interface Setting<T> {
  readonly variable: string;
  readonly type: string;
  /** As text, exactly as one would set it; undefined: unset means absent. */
  readonly fallback?: string;
  readonly meaning: string;
  readonly schema: z.ZodType<T, string | undefined>;
}

const setting = <T>(definition: Setting<T>): Setting<T> => definition;

const SETTINGS = {
  port: setting({
    variable: "PORT",
    type: "port number",
    fallback: "8080",
    meaning: "Port of the API; 0 takes any free one.",
    schema: wholeNumber(0, 65_535),
  }),
  host: setting({
    variable: "GLOVEBOX_HOST",
    type: "IP address or name",
    fallback: "127.0.0.1",
    meaning: "Address that the API listens on. Anything but loopback opens it to the network.",
    schema: z.string().regex(/^[0-9A-Za-z.:_-]+$/, "must be an IP address or a host name"),
  }),
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
    schema: optionalUrl(["postgres:", "postgresql:"]),
  }),
  redisUrl: setting({
    variable: "REDIS_URL",
    type: "redis:// or rediss:// URL",
    meaning: "Redis for the rate limits of several processes. Unset: each process counts in memory.",
    schema: optionalUrl(["redis:", "rediss:"]),
  }),
  accountsFile: setting({
    variable: "GLOVEBOX_ACCOUNTS_FILE",
    type: "file (YAML)",
    meaning: "Accounts, plans and keys, applied at every start.",
    schema: z.string().optional(),
  }),
  egressAllow: setting({
    variable: "GLOVEBOX_EGRESS_ALLOW",
    type: "list of CIDR or host:port, with commas",
    meaning: "Private addresses that may be scanned all the same.",
    schema: allowances(),
  }),
  waitSeconds: setting({
    variable: "GLOVEBOX_WAIT_SECONDS",
    type: "seconds",
    fallback: "25",
    meaning: "How long POST /v1/scan waits for the scan to end, 0 to 120.",
    schema: wholeNumber(0, 120),
  }),
  extraCa: setting({
    variable: "GLOVEBOX_EXTRA_CA",
    type: "PEM text or file",
    meaning: "Certificate authorities that scans trust beside the usual ones.",
    schema: optionalCertificates(),
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
  logLevel: setting({
    variable: "GLOVEBOX_LOG_LEVEL",
    type: "level",
    fallback: "info",
    meaning: "Least level that is logged: trace, debug, info, warn, error, fatal or silent.",
    schema: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"], {
      error: "must be trace, debug, info, warn, error, fatal or silent",
    }),
  }),
};

type Table = typeof SETTINGS;
export type Settings = { readonly [K in keyof Table]: z.output<Table[K]["schema"]> };

/** A setting that cannot be used: the message is one line that names the variable and the reason. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * All settings, or those named, from the environment. An empty variable counts as unset.
 * @returns the settings, and a warning for each GLOVEBOX_ variable that is none.
 * @throws SettingsError for the first variable, in the order of the table, that cannot be used.
 */
export function parseSettings<K extends keyof Settings = keyof Settings>(
  environment: NodeJS.ProcessEnv,
  keys: readonly K[] = Object.keys(SETTINGS) as K[],
): { settings: Pick<Settings, K>; warnings: string[] } {
  const entries = keys.map((key) => [key, parseOne(SETTINGS[key], environment)]);
  return {
    settings: Object.fromEntries(entries) as Pick<Settings, K>,
    warnings: unknownVariables(environment),
  };
}

/** Every setting as the documentation lists it. */
export function settingsTable(): {
  name: string;
  type: string;
  default: string | undefined;
  meaning: string;
}[] {
  return Object.values<Setting<unknown>>(SETTINGS).map(({ variable, type, fallback, meaning }) => ({
    name: variable,
    type,
    default: fallback,
    meaning,
  }));
}

function parseOne({ variable, fallback, schema }: Setting<unknown>, environment: NodeJS.ProcessEnv): unknown {
  const parsed = schema.safeParse(environment[variable] || fallback);
  if (!parsed.success) throw new SettingsError(`${variable}: ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}

function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith("GLOVEBOX_") && !known.includes(name))
    .map((name) => {
      const close = nearest(name, known);
      return `${name} is no setting and is ignored${close ? `; did you mean ${close}?` : ""}`;
    });
}
