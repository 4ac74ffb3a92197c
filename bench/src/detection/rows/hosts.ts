import type { FakeResponse, Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { TEA_SERVICE } from "../../../../scanner-job/src/testing/tea-service.ts";
import {
  byQuery,
  forbidden,
  invalid,
  reading,
  secured,
  unauthorized,
  type Host,
  type Row,
  type Routes,
} from "../row.ts";
import { rowsOf } from "./database.ts";

export const shelves: FakeResponse = { json: { shelves: [{ id: 1, name: "Rivers" }] } };
const html = { "content-type": "text/html; charset=utf-8" };
const MAP = { version: 3, sources: ["../src/api.ts"], sourcesContent: ["// the list"], mappings: "AAAA" };
const page: Route = { headers: html, body: '<script src="/assets/app.js"></script>' };

/** What every separate host has, so that there is something to test. */
const SHELVES = { "/shelves": reading("q") };

/** A separate host whose sides differ in their routes alone, unless `host` says more. */
export const hostRow = (
  row: Omit<Row, "weak" | "safe" | "host"> & {
    readonly weak?: Routes;
    readonly safe?: Routes;
    readonly host?: { readonly weak?: Host; readonly safe?: Host };
  },
): Row => ({
  ...row,
  document: { ...SHELVES, ...row.document },
  weak: { "GET /shelves": shelves, ...row.weak },
  safe: { "GET /shelves": shelves, ...row.safe },
  host: { weak: row.host?.weak ?? {}, safe: row.host?.safe ?? {} },
});

const calling: Route = { headers: html, body: '<script>fetch("/closures")</script>' };

const xml = { "content-type": "application/xml" };
const bucket: FakeResponse = {
  headers: xml,
  body: "<ListBucketResult><Name>covers</Name><Contents><Key>rivers.jpg</Key></Contents></ListBucketResult>",
};
const notListed: FakeResponse = {
  status: 403,
  headers: xml,
  body: "<Error><Code>AccessDenied</Code></Error>",
};

const STAFF = ["/", "https://staff.library.test"];

/** A verifier that fetches the key from where the token says it is, and returns what went wrong. */
const fetchingKeys: Route = ({ headers }) => {
  const [header = ""] = (headers.authorization ?? "").replace("Bearer ", "").split(".");
  const address = /"jku":"(https:[^"]+)"/.exec(Buffer.from(header, "base64url").toString())?.[1];
  return address === undefined
    ? unauthorized
    : { status: 401, json: { error: `getaddrinfo ENOTFOUND ${new URL(address).hostname}` } };
};

interface Message {
  readonly origin: string;
  /** Those that its document declares. */
  readonly entities: ReadonlyMap<string, string>;
}

/** A SOAP service with its description; `respond` finds teas; its failure is a fault. */
function soap(respond: (message: Message) => FakeResponse): Routes {
  return {
    "GET /ws": ({ query }) =>
      query.has("wsdl") ? { headers: xml, body: TEA_SERVICE } : { status: 405, json: {} },
    "POST /ws": ({ body }) => {
      const origin = /<origin>([^]*?)<\/origin>/.exec(body)?.[1];
      if (origin === undefined) return fault("There is no such operation");
      const entities = new Map(
        [...body.matchAll(/<!ENTITY (\w+) "(\w+)">/g)].map(([, name = "", text = ""]) => [name, text]),
      );
      const { status = 200, json } = respond({ origin: unescaped(origin), entities });
      const found = escaped(JSON.stringify(json));
      return status < 400 ? message(`<FindTeasResult>${found}</FindTeasResult>`) : fault(found);
    },
  };
}

const message = (content: string): FakeResponse => ({
  headers: { "content-type": "text/xml" },
  body: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content}</s:Body></s:Envelope>`,
});
const fault = (text: string): FakeResponse => ({
  ...message(`<s:Fault><faultcode>s:Server</faultcode><faultstring>${text}</faultstring></s:Fault>`),
  status: 500,
});
const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Counts down, as a host with a limit does. */
function counted(): Route {
  let remaining = 10_000;
  return () => ({ ...shelves, headers: { "x-ratelimit-remaining": String(--remaining) } });
}

/** Away for this many milliseconds after a quote, as a process that a supervisor restarts. */
function fragile(awayMs: number): Routes {
  let backAt = 0;
  const route =
    (response: FakeResponse): Route =>
    ({ query }) => {
      const now = performance.now();
      if (/['"]/.test(query.get("q") ?? "")) backAt = now + awayMs;
      return now < backAt ? { cut: "all" } : response;
    };
  return {
    "GET /": route({ json: { name: "Town library" } }),
    "GET /shelves": route(shelves),
    "* *": route({ status: 404, json: { error: "Not found" } }),
  };
}

const redirect = (host: string | undefined): FakeResponse => ({
  status: 302,
  headers: { location: `https://${host}/shelves` },
});

const roomId = { name: "roomId", in: "path", required: true, schema: { type: "integer" }, example: 7 };

const DESCRIBED = {
  openapi: "3.0.3",
  info: { title: "Town library", version: "1" },
  paths: { ...SHELVES, "/rooms": { get: {} } },
};

/** Weaknesses of a whole host except its TLS. */
export const hostRows: readonly Row[] = [
  hostRow({
    checks: ["input-validation/host-redirect"],
    at: "GET /",
    weak: { "GET /": ({ headers }) => redirect(String(headers["x-forwarded-host"] ?? headers.host)) },
    safe: { "GET /": { status: 302, headers: { location: "/shelves" } } },
  }),
  hostRow({
    checks: ["rate-limiting/rate-limit-headers"],
    at: "GET /",
    safe: { "GET /shelves": counted() },
  }),
  hostRow({
    checks: ["rate-limiting/bounded-burst"],
    at: "GET /",
    safe: { "GET /shelves": counted(), "GET /": counted() },
  }),
  hostRow({
    checks: ["rate-limiting/crash"],
    at: "GET /shelves",
    weak: fragile(500),
    safe: { "GET /shelves": byQuery("q", (q) => (/['"]/.test(q) ? invalid : shelves)) },
  }),
  hostRow({
    checks: ["rate-limiting/crash"], // behind a fast supervisor
    at: "GET /shelves",
    weak: fragile(30),
    safe: { "GET /shelves": byQuery("q", (q) => (/['"]/.test(q) ? { cut: true } : shelves)) }, // a firewall
  }),
  hostRow({
    checks: ["data-exposure/source-map"],
    at: "GET /assets/app.js.map",
    weak: { "GET /": page, "GET /assets/app.js.map": { json: MAP } },
    safe: { "GET /": page },
  }),
  hostRow({
    checks: ["inventory-management/undocumented-operation"],
    at: "GET /closures",
    weak: { "GET /": calling, "GET /closures": { json: { closures: [{ day: "Monday" }] } } },
    safe: { "GET /": calling },
  }),
  hostRow({
    checks: ["inventory-management/guessable-operation"],
    at: "GET /api/v1/rooms",
    document: { "/api/v1/rooms/{roomId}": { get: { parameters: [roomId] } }, "/api/v1/books": { get: {} } },
    weak: {
      "GET /api/v1/books": { json: [{ id: 1 }] },
      "GET /api/v1/rooms": { json: [{ id: 7 }] },
    },
    safe: { "GET /api/v1/books": { json: [{ id: 1 }] } },
  }),
  hostRow({
    checks: ["data-exposure/exposed-spring-env"], // the guard compares paths as they were sent
    at: "GET /actuator;/env",
    weak: {
      "GET /actuator/env": forbidden,
      "GET /actuator;/env": { json: { activeProfiles: [], propertySources: [] } },
    },
    safe: { "GET /actuator/env": forbidden, "GET /actuator;/env": forbidden },
  }),
  hostRow({
    checks: ["data-exposure/exposed-object-store"],
    at: "GET /",
    weak: { "GET /": ({ query }) => (query.has("list-type") ? bucket : { json: { name: "Town library" } }) },
    safe: {
      "GET /": ({ query }) => (query.has("list-type") ? notListed : { json: { name: "Town library" } }),
    },
  }),
  hostRow({
    checks: ["input-validation/sql-error"], // in a message of SOAP
    at: "POST /ws",
    weak: soap(({ origin }) => rowsOf(`SELECT title FROM books WHERE shelf = '${origin}'`, [])),
    safe: soap(({ origin }) => rowsOf("SELECT title FROM books WHERE shelf = ?", [origin])),
    alsoTrue: {
      "data-exposure/database-error": "the same error",
      "input-validation/sql-boolean": "the same statement",
      "input-validation/sql-statement": "the same statement",
    },
  }),
  hostRow({
    checks: ["input-validation/xxe"], // in a message of SOAP
    at: "POST /ws",
    weak: soap(({ origin, entities }) => ({
      json: origin.replace(/&(\w+);/g, (_, name: string) => entities.get(name) ?? ""),
    })),
    safe: soap(({ origin }) => ({ json: origin.replace(/&\w+;/g, "") })),
  }),
  hostRow({
    checks: ["inventory-management/guessable-operation"], // for callers within
    at: "GET /api/internal/rooms",
    document: { "/api/v1/rooms": { get: {} } },
    weak: {
      "GET /api/v1/rooms": { json: [{ id: 7 }] },
      "GET /api/internal/rooms": { json: [{ id: 7, rent: 300 }] },
    },
    safe: { "GET /api/v1/rooms": { json: [{ id: 7 }] } },
    alsoTrue: {
      "authentication/missing-authentication": "no operation asks for credentials",
      "bfla-authorization/anonymous-admin-operation": "what is internal, shown to anybody",
    },
  }),
  hostRow({
    checks: ["inventory-management/other-virtual-host"],
    at: "GET /",
    weak: {
      "GET /": ({ headers }) => ({
        json: headers.host === "staff.library.test" ? { rota: ["Monday"] } : { name: "Town library" },
      }),
    },
    host: { weak: { servers: STAFF }, safe: { servers: STAFF } },
  }),
  hostRow({
    checks: ["authentication/token-key-address"],
    at: "GET /keepsakes",
    document: { "/keepsakes": { get: secured() } },
    weak: { "GET /keepsakes": fetchingKeys },
    safe: { "GET /keepsakes": unauthorized },
  }),
  hostRow({
    checks: ["inventory-management/non-production-servers"],
    at: "GET /",
    host: {
      weak: { servers: ["/", "https://staging.library.test"] },
      safe: { servers: ["/", "https://www.library.test"] },
    },
  }),
  hostRow({
    checks: ["inventory-management/public-document"],
    at: "GET /",
    weak: { "GET /openapi.json": { json: DESCRIBED }, "GET /rooms": { json: { rooms: [] } } },
    host: { weak: { documentIsNotGiven: true } },
  }),
];
