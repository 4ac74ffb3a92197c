import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import { createDemoCertificates } from "../certificate-authority.ts";
import { type Demo, type DemoOptions, startDemo } from "../demo.ts";
import type { Variant } from "../route.ts";

export interface ApiResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Sent {
  headers?: Record<string, string>;
  /** An object is sent as JSON, a string unchanged. */
  body?: object | string;
}

/** A running demo and a client. */
export interface Api {
  demo: Demo;
  send(method: string, path: string, sent?: Sent): Promise<ApiResponse>;
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** The id of an object of the first account. */
  ownId(list: "patients" | "invoices"): Promise<string>;
}

export async function startApi(
  variant: Variant,
  options: Pick<DemoOptions, "requestsPerSecond" | "only"> = {},
): Promise<Api> {
  const tls = await createDemoCertificates();
  const demo = await startDemo({
    variant,
    port: 0,
    plainHttpPort: 0,
    tls,
    requestsPerSecond: 10_000,
    ...options,
  });
  const agent = new Agent({ keepAlive: true, ca: demo.caPem, servername: "localhost" });
  const send: Api["send"] = (method, path, sent) =>
    exchange(new URL(demo.url), { agent, method, path, ...sent });
  const get: Api["get"] = (path, headers = {}) => send("GET", path, { headers });
  const ownId: Api["ownId"] = async (list) => {
    const { text } = await get(`/v2/${list}`, bearer(demo.accounts[0]!.token));
    return String((JSON.parse(text) as Record<string, { id: string | number }[]>)[list]![0]!.id);
  };
  return { demo, send, get, ownId };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export function exchange(
  { hostname, port }: URL,
  { agent, method, path, headers, body }: { agent: Agent; method: string; path: string } & Sent,
): Promise<ApiResponse> {
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  const type: Record<string, string> =
    text === undefined
      ? {}
      : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, agent };
    const sent = request({ ...options, headers: { ...type, ...headers } }, (response) => {
      let received = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received }),
      );
    });
    sent.on("error", reject);
    sent.end(text);
  });
}
