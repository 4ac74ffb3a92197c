import { once } from "node:events";
import { connect } from "node:net";

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  // oxlint-disable-next-line no-explicit-any -- tests look into any response
  readonly json: any;
}

export interface Ask {
  readonly key?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** One request by fetch, and its whole response. */
export async function ask(
  url: string,
  { key, method, headers = {}, body, signal }: Ask = {},
): Promise<TestResponse> {
  const init: RequestInit = {
    method: method ?? (body === undefined ? "GET" : "POST"),
    redirect: "manual",
    ...(signal && { signal }),
    headers: {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
  };
  if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

/** Bytes on a separate connection, and all that comes back until the service closes it. */
export async function askRaw(port: number, bytes: string | Buffer): Promise<TestResponse> {
  const socket = connect({ port, host: "127.0.0.1" });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.write(bytes);
  await once(socket, "close");
  return parseResponse(Buffer.concat(chunks).toString("latin1"));
}

/** The first response in what came over a connection. */
function parseResponse(text: string): TestResponse {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const at = line.indexOf(":");
    headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  const body = rest.join("\r\n\r\n");
  return { status: Number(statusLine.split(" ")[1]), headers, text: body, json: parse(body) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
