import { parseDnsServers } from "@glovebox/egress";
import * as z from "zod";
import { retentionDays } from "./retention-days.ts";
import { allowances, orIssue, urlOf, wholeNumber } from "./schemas.ts";
import { setting } from "./setting.ts";
import { trustedProxies } from "./trusted-proxies.ts";

/** The settings of the API that mean the same wherever it runs. */
export const API_SETTINGS = {
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
  redisUrl: setting({
    variable: "REDIS_URL",
    type: "redis:// or rediss:// URL",
    meaning: "Redis for the rate limits of several processes. Unset: each process counts in memory.",
    schema: urlOf(["redis:", "rediss:"]).optional(),
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
  dnsServers: setting({
    variable: "GLOVEBOX_DNS_SERVERS",
    type: "list of addresses, with commas",
    meaning: "Name servers that the hosts of targets are looked up with. Unset: those of /etc/resolv.conf.",
    schema: z.string().default("").transform(orIssue(parseDnsServers)),
  }),
  waitSeconds: setting({
    variable: "GLOVEBOX_WAIT_SECONDS",
    type: "seconds",
    fallback: "25",
    meaning: "How long POST /v1/scan waits for the scan to end, 0 to 120.",
    schema: wholeNumber(0, 120),
  }),
  trustProxy: trustedProxies,
  retentionDays,
  usageRetentionDays: setting({
    variable: "GLOVEBOX_USAGE_RETENTION_DAYS",
    type: "days",
    fallback: "400",
    meaning: "For how long after its end a month's usage of each account is kept, 62 to 3650 days.",
    schema: wholeNumber(62, 3650),
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
