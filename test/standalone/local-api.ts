import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export interface LocalApi extends AsyncDisposable {
  readonly port: number;
  /** Method, path and status of each request, in order: `GET /orders/1 200`. */
  readonly requests: readonly string[];
}

/** What a caller presents, in a header, a cookie or the query; any of them is accepted. */
export interface Accepted {
  readonly tokens: readonly string[];
  /** The body of a `POST /session` that returns the first token. */
  readonly login?: Readonly<Record<string, string>>;
}

const RECORDS = [1, 2, 3].map((id) => ({ id, email: `customer${id}@larkfield.test`, total: id * 10 }));

/** A development server on this machine, in plain HTTP: orders and customers, for anybody or for accepted callers. */
export async function startLocalApi(accepted?: Accepted): Promise<LocalApi> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void responseTo(request, accepted).then(({ status, body }) => {
      requests.push(`${request.method} ${pathOf(request)} ${status}`);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, requests },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const pathOf = ({ url = "/" }: IncomingMessage): string => new URL(url, "http://localhost").pathname;
const refused = (status: number) => ({ status, body: { error: `refused with ${status}` } });

async function responseTo(request: IncomingMessage, accepted: Accepted | undefined) {
  const { method } = request;
  const path = pathOf(request);
  if (path === "/session" && accepted?.login) return signedIn(request, accepted);
  if (path === "/") return { status: 200, body: { orders: "/orders", customers: "/customers" } };
  const [isKnown, id] = /^\/(?:orders|customers)(?:\/(\d+))?$/.exec(path) ?? [];
  if (isKnown === undefined) return refused(404);
  if (accepted && !accepted.tokens.some((token) => presents(request, token))) return refused(401);
  if (method !== "GET" && method !== "HEAD") return refused(405);
  return recordsOf(id);
}

function recordsOf(id: string | undefined) {
  const body = id === undefined ? RECORDS : RECORDS.find((record) => String(record.id) === id);
  return body ? { status: 200, body } : refused(404);
}

async function signedIn(request: IncomingMessage, { login, tokens }: Accepted) {
  const given = request.method === "POST" ? await json(request).catch(() => undefined) : undefined;
  const isRight = JSON.stringify(given) === JSON.stringify(login);
  return isRight ? { status: 200, body: { data: { access: tokens[0] } } } : refused(401);
}

const presents = ({ headers, url = "/" }: IncomingMessage, token: string): boolean =>
  headers.authorization === `Bearer ${token}` ||
  headers.cookie === `session=${token}` ||
  new URL(url, "http://localhost").searchParams.get("api_key") === token;
