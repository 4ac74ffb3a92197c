import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";

/** What a route of a test target returns; `cut` closes the connection instead, or all of them as the end of the process does. */
export interface FakeResponse {
  readonly status?: number;
  readonly headers?: Record<string, string | string[]>;
  readonly json?: unknown;
  readonly body?: string;
  readonly cut?: true | "all";
}

export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Route = FakeResponse | ((incoming: Incoming) => FakeResponse | Promise<FakeResponse>);

/**
 * A test target: `{ "GET /users/{id}": ({ params }) => ({ json: … }) }`. `*` as method takes every method, `*` as
 * path every path. What no route takes gets 404 in JSON.
 */
export function fakeApi(routes: Readonly<Record<string, Route>>): RequestListener {
  const table = Object.entries(routes).map(([key, route]) => ({ ...parseKey(key), route }));
  const sockets = new Set<Socket>();
  return (request, response) => {
    const { socket } = request;
    if (!sockets.has(socket)) socket.once("close", () => sockets.delete(socket));
    sockets.add(socket);
    void respond(request, response, { table, sockets });
  };
}

type Table = readonly { method: string; pattern: RegExp; route: Route }[];

function parseKey(key: string): { method: string; pattern: RegExp } {
  const [method = "", path = ""] = key.split(" ");
  const source =
    path === "*"
      ? ".*"
      : path
          .split(/\{(\w+)\}/)
          .map((part, index) => (index % 2 ? `(?<${part}>[^/]+)` : escape(part)))
          .join("");
  return { method, pattern: new RegExp(`^${source}$`) };
}

const escape = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { table, sockets }: { readonly table: Table; readonly sockets: ReadonlySet<Socket> },
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://target.test");
  const method = request.method ?? "GET";
  const found = table.find((each) => ["*", method].includes(each.method) && each.pattern.test(url.pathname));
  const routed = await call(found?.route ?? NOT_FOUND, {
    method,
    path: url.pathname,
    params: { ...found?.pattern.exec(url.pathname)?.groups },
    query: url.searchParams,
    headers: request.headers,
    body: await text(request),
  });
  if (!routed.cut) return write(routed, response);
  for (const socket of routed.cut === "all" ? sockets : [request.socket]) socket.destroy();
}

const NOT_FOUND: FakeResponse = { status: 404, json: { error: "Not found" } };

const call = (route: Route, incoming: Incoming): FakeResponse | Promise<FakeResponse> =>
  typeof route === "function" ? route(incoming) : route;

function write({ status = 200, headers, json, body = "" }: FakeResponse, response: ServerResponse): void {
  const type = json === undefined ? "text/plain; charset=utf-8" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(json === undefined ? body : JSON.stringify(json));
}
