import type { Answer } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byQuery, invalid, reading, secured, taking, unauthorized, type Row } from "../row.ts";

const METADATA = "ami-id\ninstance-id\ninstance-type\nlocal-ipv4\n";
const failed = (message: string): Answer => ({ status: 502, json: { error: message } });

/** A fetcher that says what went wrong. */
function careless(address: string): Answer {
  if (!URL.canParse(address)) return invalid;
  const { hostname, port } = new URL(address);
  if (hostname.endsWith(".invalid")) return failed(`getaddrinfo ENOTFOUND ${hostname}`);
  return port === "1" ? failed("connect ECONNREFUSED 127.0.0.1:1") : { json: { title: "Library" } };
}

export const serverSideRequestRows: readonly Row[] = [
  {
    checks: ["ssrf/metadata-reachable"],
    at: "GET /covers",
    document: { "/covers": reading("url", { required: true }) },
    weak: {
      "GET /covers": byQuery("url", (url) =>
        url.startsWith("http://169.254.169.254/latest/") ? { body: METADATA } : failed("Failed"),
      ),
    },
    safe: { "GET /covers": byQuery("url", () => failed("Failed")) },
  },
  {
    checks: ["ssrf/declared-callbacks"],
    at: "GET /",
    document: { "/webhooks": { post: secured(taking("callbackUrl")) } },
    safeDocument: { "/webhooks": { post: secured(taking("label")) } },
    weak: { "POST /webhooks": unauthorized },
    safe: { "POST /webhooks": unauthorized },
  },
  {
    checks: ["ssrf/in-band-differential"],
    at: "GET /preview",
    document: { "/preview": reading("url", { required: true, schema: { type: "string", format: "uri" } }) },
    weak: { "GET /preview": byQuery("url", careless) },
    safe: {
      "GET /preview": byQuery("url", () => ({ status: 422, json: { error: "This address is not allowed" } })),
    },
  },
];
