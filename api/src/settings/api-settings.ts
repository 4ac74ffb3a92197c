import { type Plan, PLAN_NAMES } from "@glovebox/contract";
import {
  SHARED_SETTINGS,
  anyText,
  contentOf,
  matching,
  oneOf,
  optional,
  setting,
  redisUrl,
  wholeNumber,
} from "@glovebox/settings";
import { parseIdentityKeys } from "@glovebox/store/identity-keys";
import * as z from "zod";
import { SIGN_IN_SETTINGS } from "./sign-in-settings.ts";

const DEFAULT_RETENTION_DAYS = 90;
const MAX_RETENTION_DAYS = 3650;
const MAX_PROXIES = 10;

const { port, egressAllow, dnsServers, logLevel } = SHARED_SETTINGS;

/** The settings that the API has on Kubernetes and in standalone mode. */
export const API_SETTINGS = {
  port,
  host: setting({
    variable: "GLOVEBOX_HOST",
    type: "IP address or name",
    default: "127.0.0.1",
    description: "Address that the API listens on. Anything but loopback opens it to the network.",
    parse: matching(/^[0-9A-Za-z.:_-]+$/, "must be an IP address or a host name"),
  }),
  redisUrl: setting({
    variable: "REDIS_URL",
    type: "redis:// or rediss:// URL",
    description: "Redis for the rate limits of several processes. Unset: each process counts in memory.",
    secret: true,
    parse: optional(redisUrl),
  }),
  accountsFile: setting({
    variable: "GLOVEBOX_ACCOUNTS_FILE",
    type: "file (YAML)",
    description: "Accounts, plans and keys, applied at every start.",
    parse: optional(anyText),
  }),
  identityKeys: setting({
    variable: "GLOVEBOX_IDENTITY_KEY_FILE",
    type: "file",
    description:
      "Keys that encrypt the identities of scans and saved sets, one a line: 32 random bytes in base64. The first encrypts, " +
      "all decrypt. Unset: scans with identities are refused.",
    parse: optional(contentOf(parseIdentityKeys)),
  }),
  egressAllow,
  dnsServers,
  ...SIGN_IN_SETTINGS,
  waitSeconds: setting({
    variable: "GLOVEBOX_WAIT_SECONDS",
    type: "seconds",
    default: "25",
    description: "How long POST /v1/scan waits for the scan to end, 0 to 120.",
    parse: wholeNumber(0, 120),
  }),
  trustProxy: setting({
    variable: "GLOVEBOX_TRUST_PROXY",
    type: "number, or comma-separated list of CIDR",
    default: "0",
    description:
      "Proxies in front of the API, whose X-Forwarded-For header names the client for rate limits by address: their " +
      `number, 0 to ${MAX_PROXIES}, or their addresses. Clients must then reach the API through them only.`,
    parse: parseTrustedProxies,
  }),
  webhooks: setting({
    variable: "GLOVEBOX_WEBHOOKS",
    type: "on or off",
    default: "on",
    description: "Whether events are sent to the webhooks of accounts, and webhooks can be created.",
    parse: (text) => oneOf("on", "off")(text) === "on",
  }),
  retentionDays: setting({
    variable: "GLOVEBOX_RETENTION_DAYS",
    type: "days, or comma-separated plan=days",
    default: String(DEFAULT_RETENTION_DAYS),
    description:
      `How long a scan and its report are kept after its end, 1 to ${MAX_RETENTION_DAYS} days. By plan: ` +
      `\`free=30,enterprise=365\`; the default of the other plans is ${DEFAULT_RETENTION_DAYS}.`,
    parse: parseRetentionDays,
  }),
  usageRetentionDays: setting({
    variable: "GLOVEBOX_USAGE_RETENTION_DAYS",
    type: "days",
    default: "400",
    description: "How long the usage of a month is kept after the end of the month, 62 to 3650 days.",
    parse: wholeNumber(62, 3650),
  }),
  auditRetentionDays: setting({
    variable: "GLOVEBOX_AUDIT_RETENTION_DAYS",
    type: "days",
    default: "400",
    description: "How long an entry of the audit log is kept, 30 to 3650 days.",
    parse: wholeNumber(30, 3650),
  }),
  logLevel,
};

const RANGE = `a whole number from 1 to ${MAX_RETENTION_DAYS}`;

type RetentionDays = Readonly<Record<Plan, number>>;

/**
 * Days by plan: of all plans (`90`), or of those named (`free=30,pro=365`) and the default of the others.
 * @throws Error whose message says what is wrong
 * @internal
 */
export function parseRetentionDays(text: string): RetentionDays {
  if (!text.includes("="))
    return ofEach(daysOf(text, `must be ${RANGE}, or one number for each plan, such as free=30,pro=365`));
  const named = new Map<Plan, number>();
  for (const part of text.split(",")) {
    const [name = "", days = "", ...rest] = part.trim().split("=");
    const plan = PLAN_NAMES.find((known) => known === name.trim());
    if (!plan) throw new Error(`"${name.trim()}" is not a plan; the plans are ${PLAN_NAMES.join(", ")}`);
    if (named.has(plan)) throw new Error(`${plan} is listed twice`);
    named.set(plan, daysOf(rest.length === 0 ? days.trim() : "", `${plan} must be ${RANGE}`));
  }
  return { ...ofEach(DEFAULT_RETENTION_DAYS), ...Object.fromEntries(named) };
}

const ofEach = (days: number): RetentionDays =>
  Object.fromEntries(PLAN_NAMES.map((plan) => [plan, days])) as RetentionDays;

function daysOf(text: string, error: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_RETENTION_DAYS) throw new Error(error);
  return days;
}

// /0 would trust the X-Forwarded-For of every client.
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).refine((text) => !text.endsWith("/0"));

/**
 * The trusted proxies in the form of Express: their number, or a list of addresses.
 * @throws Error with the expected format
 */
function parseTrustedProxies(text: string): number | string {
  if (/^\d+$/.test(text) && Number(text) <= MAX_PROXIES) return Number(text);
  const list = text.split(",").map((part) => part.trim());
  if (list.every((part) => address.safeParse(part).success)) return list.join(",");
  throw new Error(
    `must be a number of proxies from 0 to ${MAX_PROXIES}, or a comma-separated list of their addresses or CIDR ranges`,
  );
}
