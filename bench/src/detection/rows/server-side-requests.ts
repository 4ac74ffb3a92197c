import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { text } from "node:stream/consumers";
import type { FakeResponse, Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byQuery, invalid, notFound, reading, secured, taking, unauthorized, type Row } from "../row.ts";

const METADATA = "ami-id\ninstance-id\ninstance-type\nlocal-ipv4\n";
const failed = (message: string): FakeResponse => ({ status: 502, json: { error: message } });

/** Like many HTTP clients where a connection is lost. */
const MAX_FETCHES = 3;

/** Passes on what this server itself responds; it reaches nothing else. */
const mirror: Route = async ({ query, headers }) => {
  const address = query.get("url") ?? "";
  const own = `https://${headers.host ?? String(headers[":authority"])}`;
  if (!URL.canParse(address) || new URL(address).origin !== own) return failed("Failed");
  for (let fetches = 0; fetches < MAX_FETCHES; fetches++) {
    const body = await fetched(address);
    if (body !== undefined) return { headers: { "content-type": "application/octet-stream" }, body };
  }
  return failed("Failed");
};

async function fetched(address: string): Promise<string | undefined> {
  const request = get(address, { rejectUnauthorized: false });
  request.on("error", () => {}); // also after the response, where nothing else listens
  try {
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return await text(response);
  } catch {
    return undefined;
  }
}

/** A fetcher that says what went wrong. */
function careless(address: string): FakeResponse {
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
    checks: ["ssrf/full-response-fetch"],
    at: "GET /mirrors",
    document: { "/mirrors": reading("url", { required: true }) },
    weak: { "GET /mirrors": mirror },
    safe: { "GET /mirrors": byQuery("url", () => failed("Failed")) },
  },
  {
    checks: ["ssrf/host-routed-metadata"],
    at: "GET /",
    weak: {
      "GET /latest/meta-data/": ({ headers }) =>
        headers.host === "169.254.169.254" ? { body: METADATA } : notFound,
    },
    safe: { "GET /latest/meta-data/": notFound },
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
