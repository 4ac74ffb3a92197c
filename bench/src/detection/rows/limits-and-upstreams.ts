import type { FakeResponse, Incoming, Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byQuery, notFound, reading, taking, type Row } from "../row.ts";

const events =
  (max: number): ((limit: string) => FakeResponse) =>
  (limit) => ({
    json: { events: Array.from({ length: Math.min(Number(limit || 10) || 10, max) }, (_, id) => ({ id })) },
  });

/** Locks after five attempts of what is counted as one client. */
function locking(clientOf: (headers: Incoming["headers"]) => unknown): Route {
  const counts = new Map<unknown, number>();
  return ({ headers }) => {
    const client = clientOf(headers);
    counts.set(client, (counts.get(client) ?? 0) + 1);
    const error = counts.get(client)! > 5 ? "Too many attempts, try again later" : "Wrong password";
    return { status: 401, json: { error } };
  };
}

export const limitRows: readonly Row[] = [
  {
    checks: ["rate-limiting/page-size"],
    at: "GET /events",
    document: { "/events": reading("limit", { schema: { type: "integer", maximum: 50 } }) },
    weak: { "GET /events": byQuery("limit", events(5000)) },
    safe: { "GET /events": byQuery("limit", events(50)) },
  },
  {
    checks: ["rate-limiting/throttle-bypass"],
    at: "POST /doors/login",
    document: { "/doors/login": { post: taking("username", "password") } },
    weak: { "POST /doors/login": locking((headers) => headers["x-forwarded-for"]) },
    safe: { "POST /doors/login": locking(() => "one door") },
  },
  {
    checks: ["unsafe-consumption/third-party-redirect"],
    at: "GET /files",
    document: { "/files": { get: {} } },
    weak: { "GET /files": { status: 302, headers: { location: "http://files.paylark.test/" } } },
    safe: { "GET /files": { status: 308, headers: { location: "/files/" } } },
  },
  {
    checks: ["unsafe-consumption/upstream-error-forwarded"],
    at: "GET /currencies",
    document: { "/currencies": reading("code", { required: true, example: "EUR" }) },
    weak: {
      "GET /currencies": byQuery("code", (code) =>
        code === "EUR"
          ? { json: { rate: 1.17 } }
          : { status: 500, json: { error: { type: "StripeInvalidRequestError" } } },
      ),
    },
    safe: {
      "GET /currencies": byQuery("code", (code) => (code === "EUR" ? { json: { rate: 1.17 } } : notFound)),
    },
  },
  {
    checks: ["unsafe-consumption/insecure-upstream-addresses"],
    at: "GET /policies",
    document: { "/policies": { get: {} } },
    weak: { "GET /policies": { json: [{ id: "p", source: "http://10.20.0.31:8080/policies/1" }] } },
    safe: { "GET /policies": { json: [{ id: "p", source: "https://policies.library.test/1" }] } },
    alsoTrue: { "data-exposure/internal-addresses": "the same address" },
  },
];
