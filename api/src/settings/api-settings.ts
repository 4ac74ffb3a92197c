import {
  SHARED_SETTINGS,
  anyText,
  matching,
  optional,
  setting,
  urlOf,
  wholeNumber,
} from "@glovebox/settings";
import { DEFAULT_RETENTION_DAYS, MAX_RETENTION_DAYS, parseRetentionDays } from "./retention-days.ts";
import { MAX_PROXIES, parseTrustedProxies } from "./trusted-proxies.ts";

const { port, egressAllow, dnsServers, logLevel } = SHARED_SETTINGS;

/** The settings of the API that mean the same wherever it runs. */
export const API_SETTINGS = {
  port,
  host: setting({
    variable: "GLOVEBOX_HOST",
    type: "IP address or name",
    default: "127.0.0.1",
    meaning: "Address that the API listens on. Anything but loopback opens it to the network.",
    parse: matching(/^[0-9A-Za-z.:_-]+$/, "must be an IP address or a host name"),
  }),
  redisUrl: setting({
    variable: "REDIS_URL",
    type: "redis:// or rediss:// URL",
    meaning: "Redis for the rate limits of several processes. Unset: each process counts in memory.",
    secret: true,
    parse: optional(urlOf("redis:", "rediss:")),
  }),
  accountsFile: setting({
    variable: "GLOVEBOX_ACCOUNTS_FILE",
    type: "file (YAML)",
    meaning: "Accounts, plans and keys, applied at every start.",
    parse: optional(anyText),
  }),
  egressAllow,
  dnsServers,
  waitSeconds: setting({
    variable: "GLOVEBOX_WAIT_SECONDS",
    type: "seconds",
    default: "25",
    meaning: "How long POST /v1/scan waits for the scan to end, 0 to 120.",
    parse: wholeNumber(0, 120),
  }),
  trustProxy: setting({
    variable: "GLOVEBOX_TRUST_PROXY",
    type: "number, or list of CIDR with commas",
    default: "0",
    meaning:
      "Proxies before the API, whose X-Forwarded-For names the client that its address's rate limit counts: how many " +
      `there are, 0 to ${MAX_PROXIES}, or their addresses. No others may reach the API then.`,
    parse: parseTrustedProxies,
  }),
  retentionDays: setting({
    variable: "GLOVEBOX_RETENTION_DAYS",
    type: "days, or plan=days with commas",
    default: String(DEFAULT_RETENTION_DAYS),
    meaning:
      `For how long after its end a scan is kept, with its report, 1 to ${MAX_RETENTION_DAYS} days. By plan: ` +
      `\`free=30,enterprise=365\`; plans that are not named have ${DEFAULT_RETENTION_DAYS}.`,
    parse: parseRetentionDays,
  }),
  usageRetentionDays: setting({
    variable: "GLOVEBOX_USAGE_RETENTION_DAYS",
    type: "days",
    default: "400",
    meaning: "For how long after its end a month's usage of each account is kept, 62 to 3650 days.",
    parse: wholeNumber(62, 3650),
  }),
  logLevel,
};
