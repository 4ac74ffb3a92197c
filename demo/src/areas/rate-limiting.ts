import { failure, json, ok } from "../response.ts";
import { tooMany } from "../guards.ts";
import { FIRST_ID } from "../operations.ts";
import { pick } from "../clinic.ts";
import { type Route, weak } from "../route.ts";

const PAGE_MAX = 50;
const SPOOFABLE_LIMIT = 10;
/** Protects the machine that runs the demo. Clients see no limit. */
const MAX_ROWS = 20_000;
const requestCounts = new WeakMap<object, Map<string, number>>();

/** Weaknesses of rate limits. The limits of the hardened variant for all routes are in guards.ts. */
export const rateLimiting: Route[] = [
  {
    method: "GET",
    path: "/health",
    access: "public",
    operation: {
      summary: "Whether the service is up",
      tag: "Service",
      responds: { type: "object", properties: { status: { type: "string" } } },
    },
    weaknesses: [weak("rateLimiting", "Requests are not limited, and responses have no rate limit headers")],
    vulnerable: () => ok({ status: "up" }),
    hardened: () => ok({ status: "up" }),
  },
  {
    method: "GET",
    path: "/v2/events",
    access: "public",
    operation: {
      summary: "List events",
      tag: "Catalogue",
      parameters: [
        {
          name: "limit",
          in: "query",
          schema: { type: "integer", minimum: 1, maximum: PAGE_MAX },
          example: 10,
        },
      ],
    },
    weaknesses: [weak("rateLimiting", "`limit` has no upper bound")],
    vulnerable: (call, clinic) => {
      const limit = Math.min(Number(call.query.get("limit") ?? 10), MAX_ROWS);
      const rows = Array.from({ length: limit }, (_, index) => clinic.events[index % clinic.events.length]!);
      return ok({ events: rows.map((row, index) => ({ id: FIRST_ID + index, title: row.title })) });
    },
    hardened: (call, clinic) => {
      const limit = Number(call.query.get("limit") ?? 10);
      return ok({ events: clinic.events.slice(0, limit).map((row) => pick(row, ["id", "title"])) });
    },
  },
  {
    method: "POST",
    path: "/v2/verifications",
    access: "public",
    operation: {
      summary: "Check a one-time code",
      tag: "Accounts",
      body: {
        type: "object",
        required: ["code"],
        properties: { code: { type: "string", pattern: "^\\d{6}$" } },
      },
    },
    weaknesses: [weak("rateLimiting", "Attempts at one-time codes of six digits are not limited")],
    vulnerable: () => json(401, { error: "Wrong code" }),
    hardened: (call, clinic) => {
      const { allowed, resetSeconds } = clinic.attempts.take(`${call.path} ${call.address}`);
      return allowed ? failure(401, "unauthorized", "This code is not valid") : tooMany(resetSeconds);
    },
  },
  {
    method: "GET",
    path: "/v2/availability",
    access: "public",
    operation: { summary: "Free appointments", tag: "Appointments", limited: true },
    weaknesses: [weak("rateLimiting", "The rate limit is bypassed with the `X-Forwarded-For` header")],
    vulnerable: (call, clinic) => {
      const counts = requestCounts.get(clinic) ?? new Map<string, number>();
      const key = String(call.headers["x-forwarded-for"] ?? call.address);
      requestCounts.set(clinic, counts.set(key, (counts.get(key) ?? 0) + 1));
      return counts.get(key)! > SPOOFABLE_LIMIT ? tooMany(1) : ok({ free: ["2027-01-12T09:30:00Z"] });
    },
    hardened: () => ok({ free: ["2027-01-12T09:30:00Z"] }),
  },
];
