import { randomUUID } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import type { FakeResponse, Incoming, Route } from "../../../scanner-job/src/testing/fake-api.ts";
import { notFound, reading, type Row, type Routes } from "./row.ts";

/** Something in front of a target that hides no weakness by intent, and that a scanner may take for one, or for none. */
export interface Interference {
  readonly what: string;
  /** Asked once for each target, so that it may count. */
  readonly routes: (routes: Routes) => Routes;
  readonly document?: (document: object) => object;
  readonly http2?: true;
  /** True of a weakness that nobody could prove from outside, or that is not there, with this in front. */
  readonly hides?: (row: Row) => boolean;
  /** Nothing can be learned of the API: the scan fails, or its grade is none of the two best. */
  readonly opaque?: true;
}

const isAttacked = ({ checks }: Row): boolean =>
  checks.some((check) => /^(input-validation|ssrf)\/|error-forwarded|stack-trace/.test(check));

export const INTERFERENCES: Readonly<Record<string, Interference>> = {
  none: { what: "nothing in front", routes: (routes) => routes },
  "single-page fallback": {
    what: "every unknown path is a page with status 200",
    routes: (routes) => ({ ...routes, "GET *": PAGE }),
    hides: ({ checks }) => checks.includes("inventory-management/documented-but-absent"),
  },
  firewall: {
    what: "a request with common characters of an attack gets 403, with a page",
    routes: each((route, incoming) => (looksLikeAttack(incoming) ? BLOCKED : call(route, incoming))),
    hides: isAttacked,
  },
  latency: {
    what: "every response takes 5 to 60 ms",
    routes: each(async (route, incoming) => {
      await after(5 + Math.random() * 55);
      return call(route, incoming);
    }),
  },
  "dynamic bodies": {
    what: "every response has a new request id and the time",
    routes: each(async (route, incoming) => dated(await call(route, incoming))),
  },
  "errors as 200": {
    what: "a missing path and a refused value are 200 with the error in JSON",
    routes: each(async (route, incoming) => asSuccess(await call(route, incoming))),
    // A DELETE that returns 200 is sent once, and an error page is a page like any other.
    hides: ({ checks, at }) =>
      at === "GET /kiosk" ||
      checks.some((check) =>
        /absent|undocumented-method|method-override|type-violation|existence/.test(check),
      ),
  },
  "rate limit": {
    what: "429 above 150 requests a second",
    routes: (routes) => {
      let [second, count] = [0, 0];
      return each((route, incoming) => {
        const now = Math.floor(performance.now() / 1000);
        count = now === second ? count + 1 : 1;
        second = now;
        return count > 150 ? tooMany(1) : call(route, incoming);
      })(routes);
    },
  },
  "limited path": {
    what: "one more path, of which three requests in ten seconds are accepted, and then 429 with Retry-After: 10",
    routes: (routes) => {
      let [windowEnds, count] = [0, 0];
      return {
        ...routes,
        "GET /bicycles": () => {
          const now = performance.now();
          if (now >= windowEnds) [windowEnds, count] = [now + 10_000, 0];
          return ++count > 3 ? tooMany(10) : BICYCLES;
        },
      };
    },
    document: withBicycles,
  },
  "path limited for an hour": {
    what: "one more path, which is 429 with Retry-After: 3600",
    routes: (routes) => ({ ...routes, "GET /bicycles": tooMany(3_600) }),
    document: withBicycles,
  },
  resets: {
    what: "one connection in twenty, at random, is reset without a response",
    routes: each((route, incoming) => (Math.random() < 0.05 ? { cut: true } : call(route, incoming))),
  },
  crashes: {
    what: "every 300th connection is cut, and the server is away for 100 ms",
    routes: (routes) => {
      let [count, backAt] = [0, 0];
      return each((route, incoming) => {
        if (performance.now() < backAt) return { cut: true };
        count += 1;
        if (count % 300 !== 0) return call(route, incoming);
        backAt = performance.now() + 100;
        return { cut: true };
      })(routes);
    },
  },
  "wrong base path": {
    what: "the document's server is below a path that does not exist",
    routes: (routes) => routes,
    document: (document) => ({ ...document, servers: [{ url: "/api/v9" }] }),
  },
  "case-insensitive routes": {
    what: "paths are found however they are written",
    routes: (routes) => ({ ...routes, "* *": anyCase(routes) }),
  },
  "HTTP/2": { what: "the server prefers HTTP/2", routes: (routes) => routes, http2: true },
  "gateway 403": {
    what: "everything is refused with 403",
    routes: () => ({ "* *": BLOCKED }),
    opaque: true,
    hides: () => true,
  },
  "gateway 401": {
    what: "everything asks for credentials",
    routes: () => ({
      "* *": { status: 401, headers: { "www-authenticate": "Bearer" }, json: { error: "Unauthorized" } },
    }),
    opaque: true,
    hides: () => true,
  },
  "every operation 503": {
    what: "the entry responds, every operation fails",
    routes: (routes) => ({ "GET /": routes["GET /"]!, "* *": UNAVAILABLE }),
    opaque: true,
    hides: () => true,
  },
  "everything 500": {
    what: "everything fails",
    routes: () => ({ "* *": { status: 500, json: { error: "Internal Server Error" } } }),
    opaque: true,
    hides: () => true,
  },
};

const PAGE: FakeResponse = {
  headers: { "content-type": "text/html; charset=utf-8" },
  body: '<!doctype html><title>Library</title><div id="app"></div>',
};
const BLOCKED: FakeResponse = {
  status: 403,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: "<!doctype html><title>Request blocked</title><h1>Access denied</h1>",
};
const tooMany = (retryAfterSeconds: number): FakeResponse => ({
  status: 429,
  headers: { "retry-after": String(retryAfterSeconds) },
  json: { error: "Too many requests" },
});

const BICYCLES: FakeResponse = { json: { bicycles: [] } };

function withBicycles(document: object): object {
  const paths = "paths" in document ? document.paths : {};
  return { ...document, paths: { ...(paths as object), "/bicycles": reading("colour") } };
}

const UNAVAILABLE: FakeResponse = { status: 503, json: { error: "Service unavailable" } };

const call = (route: Route, incoming: Incoming): FakeResponse | Promise<FakeResponse> =>
  typeof route === "function" ? route(incoming) : route;

/** Every route through one function, also for unknown paths. */
function each(
  through: (route: Route, incoming: Incoming) => FakeResponse | Promise<FakeResponse>,
): (routes: Routes) => Routes {
  return (routes) =>
    Object.fromEntries(
      Object.entries({ ...routes, "* *": notFound }).map(([key, route]) => [
        key,
        (incoming: Incoming) => through(route, incoming),
      ]),
    );
}

const SUSPICIOUS = /['"<>`;|\\]|\{\{|\$[({]|\.\.|%00|169\.254|127\.0\.0\.1|localhost|\/etc\/|\[\$/i;

function looksLikeAttack({ path, query, body }: Incoming): boolean {
  const values = [path, ...query.keys(), ...query.values(), ...textsIn(body)];
  return values.some((value) => SUSPICIOUS.test(unescaped(value)));
}

function textsIn(body: string): string[] {
  try {
    return Object.values(JSON.parse(body) as object).filter((value) => typeof value === "string");
  } catch {
    return [];
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function dated(response: FakeResponse): FakeResponse {
  const { json, body, headers } = response;
  const stamp = { requestId: randomUUID(), time: new Date().toISOString() };
  const stamped = { ...headers, "x-request-id": stamp.requestId };
  if (typeof json === "object" && json !== null && !Array.isArray(json))
    return { ...response, headers: stamped, json: { ...json, ...stamp } };
  if (headers?.["content-type"]?.includes("html"))
    return {
      ...response,
      headers: stamped,
      body: `${body}<footer data-request="${stamp.requestId}">${stamp.time}</footer>`,
    };
  return { ...response, headers: stamped };
}

/** Of refusals for want of credentials and of faults, the status stays: without it they cannot be told from data. */
const asSuccess = (response: FakeResponse): FakeResponse =>
  response.status !== undefined && [400, 404, 405, 410, 422].includes(response.status)
    ? { ...response, status: 200 }
    : response;

function anyCase(routes: Routes): Route {
  const table = Object.entries(routes).map(([key, route]) => {
    const [method = "", path = ""] = key.split(" ");
    const source = path
      .split(/\{(\w+)\}/)
      .map((part, index) => (index % 2 ? `(?<${part}>[^/]+)` : part.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&")))
      .join("");
    return { method, pattern: new RegExp(`^${source}$`, "i"), route };
  });
  return (incoming) => {
    const found = table.find(
      ({ method, pattern }) => ["*", incoming.method].includes(method) && pattern.test(incoming.path),
    );
    return found
      ? call(found.route, { ...incoming, params: { ...found.pattern.exec(incoming.path)?.groups } })
      : notFound;
  };
}
