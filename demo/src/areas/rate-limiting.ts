import { failure, json, ok } from "../reply.ts";
import { tooMany } from "../hardened.ts";
import { FIRST_ID } from "../document.ts";
import { shown } from "../clinic.ts";
import { type Route, weak } from "../route.ts";

const PAGE_MAX = 50;
const SPOOFABLE_LIMIT = 10;
/** Enough to be no bound at all, and too little to bring down who runs the demo. */
const NO_REAL_BOUND = 20_000;
const asked = new WeakMap<object, Map<string, number>>();

/** How much and how often. The twin's limits for all routes are in hardened.ts. */
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
    weaknesses: [
      weak("rateLimiting", "No answer says how many requests are allowed, and no burst is refused"),
    ],
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
    weaknesses: [weak("rateLimiting", "`limit` has no bound: one request may ask for everything")],
    vulnerable: (call, clinic) => {
      const limit = Math.min(Number(call.query.get("limit") ?? 10), NO_REAL_BOUND);
      const rows = Array.from({ length: limit }, (_, index) => clinic.events[index % clinic.events.length]!);
      return ok({ events: rows.map((row, index) => ({ id: FIRST_ID + index, title: row.title })) });
    },
    hardened: (call, clinic) => {
      const limit = Number(call.query.get("limit") ?? 10);
      return ok({ events: clinic.events.slice(0, limit).map((row) => shown(row, ["id", "title"])) });
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
    weaknesses: [weak("rateLimiting", "One-time codes of six digits may be tried without end")],
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
    weaknesses: [
      weak("rateLimiting", "The limit counts by `X-Forwarded-For`, which the client writes itself"),
    ],
    vulnerable: (call, clinic) => {
      const counts = asked.get(clinic) ?? new Map<string, number>();
      const key = String(call.headers["x-forwarded-for"] ?? call.address);
      asked.set(clinic, counts.set(key, (counts.get(key) ?? 0) + 1));
      return counts.get(key)! > SPOOFABLE_LIMIT ? tooMany(1) : ok({ free: ["2027-01-12T09:30:00Z"] });
    },
    hardened: () => ok({ free: ["2027-01-12T09:30:00Z"] }),
  },
];
