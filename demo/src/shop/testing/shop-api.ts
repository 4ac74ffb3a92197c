import { Agent } from "node:https";
import { type DemoCertificates, createDemoCertificates } from "../../certificate-authority.ts";
import type { Variant } from "../../route.ts";
import { type ApiResponse, type Sent, bearer, exchange } from "../../testing/api.ts";
import { type Demo, type DemoOptions, startDemo } from "../../demo.ts";
import { DEMO_CREDENTIALS, type DemoCredentials } from "../users.ts";

type Name = DemoCredentials["name"];

/** Requests of one caller. Paths are below the shop's. */
export interface Client {
  send(method: string, path: string, sent?: Sent): Promise<ApiResponse>;
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** A member of a JSON response: `/v2/notes`, `notes`. */
  read(path: string, member: string): Promise<unknown>;
  /** The id of the first object of a list. */
  idIn(path: string): Promise<string>;
}

/** A running shop with its seeded users. */
export interface ShopApi {
  variant: Variant;
  demo: Demo;
  anonymous: Client;
  /** Signed in for a new access token. */
  as(name: Name): Promise<Client>;
  /** Signed in at the desk. */
  atDesk(name: Name): Promise<Client>;
  tokensOf(name: Name, password?: string): Promise<{ accessToken: string; refreshToken: string }>;
  with(headers: Record<string, string>): Client;
  /** A GET of a path of the host. */
  outside(path: string): Promise<ApiResponse>;
  close(): Promise<void>;
}

let certificates: Promise<DemoCertificates> | undefined;

export async function startShopApi(
  variant: Variant,
  options: Pick<DemoOptions, "accessSeconds" | "now"> = {},
): Promise<ShopApi> {
  const tls = await (certificates ??= createDemoCertificates());
  const demo = await startDemo({
    variant,
    port: 0,
    tls,
    only: "shop",
    requestsPerSecond: 10_000,
    ...options,
  });
  const agent = new Agent({ keepAlive: true, ca: tls.caPem, servername: "localhost" });
  const withHeaders = (headers: Record<string, string>): Client =>
    client({ url: demo.shopUrl, agent, headers });
  const anonymous = withHeaders({});
  const tokensOf: ShopApi["tokensOf"] = async (name, password = credentialsOf(name).password) => {
    const { email } = credentialsOf(name);
    const { text } = await anonymous.send("POST", "/v2/sessions", { body: { email, password } });
    return (JSON.parse(text) as { data: { session: Awaited<ReturnType<ShopApi["tokensOf"]>> } }).data.session;
  };
  return {
    variant,
    demo,
    anonymous,
    tokensOf,
    with: withHeaders,
    outside: (path) => exchange(new URL(demo.url), { agent, method: "GET", path }),
    as: async (name) => withHeaders(bearer((await tokensOf(name)).accessToken)),
    atDesk: async (name) => withHeaders(await deskHeaders(anonymous, credentialsOf(name))),
    close: async () => {
      agent.destroy();
      await demo.close();
    },
  };
}

export const credentialsOf = (name: Name): DemoCredentials =>
  DEMO_CREDENTIALS.find((credentials) => credentials.name === name)!;

function client({
  url,
  agent,
  headers,
}: {
  url: string;
  agent: Agent;
  headers: Record<string, string>;
}): Client {
  const base = new URL(url);
  const send: Client["send"] = (method, path, sent = {}) =>
    exchange(base, {
      agent,
      method,
      path: base.pathname + path,
      ...sent,
      headers: { ...headers, ...sent.headers },
    });
  const get: Client["get"] = (path, more = {}) => send("GET", path, { headers: more });
  const read: Client["read"] = async (path, member) =>
    (JSON.parse((await get(path)).text) as Record<string, unknown>)[member];
  return {
    send,
    get,
    read,
    idIn: async (path) => {
      const rows = await read(path, path.split("/").at(-1)!);
      return String((rows as { id: unknown }[])[0]!.id);
    },
  };
}

async function deskHeaders(
  anonymous: Client,
  { email, password }: DemoCredentials,
): Promise<Record<string, string>> {
  const response = await anonymous.send("POST", "/desk/sign-in", {
    body: new URLSearchParams({ email, password }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const cookies = (response.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]!);
  return { cookie: cookies.join("; "), "x-csrf-token": cookies[1]!.split("=")[1]! };
}
