import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { createKubeClient, type KubeClient, type KubeClientOptions } from "../client/client.ts";
import type { KubeConnection } from "../client/connection.ts";
import { FakeCollection, FakeHistory, type FakeObject, Refusal } from "./fake-collection.ts";
import { listPage } from "./fake-list.ts";
import { FakeWatches } from "./fake-watches.ts";
import { selfSigned } from "./self-signed.ts";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** How the next requests that match go wrong. */
export interface Fault {
  readonly times: number;
  readonly matches: (request: SeenRequest) => boolean;
  readonly act: (response: ServerResponse) => void;
}

export interface FakeKubeApiserverOptions {
  /** True: it speaks TLS with its own certificate, and refuses requests without its token. */
  readonly tls?: boolean;
}

const TOKEN = "token-of-a-test";

/**
 * A small API server on loopback: it stores any resource, lists in pages, streams watches with bookmarks, forgets its
 * history on demand, and goes wrong as told.
 */
export class FakeKubeApiserver implements AsyncDisposable {
  readonly requests: SeenRequest[] = [];
  readonly history = new FakeHistory();
  readonly watches = new FakeWatches(this.history);
  /** Logs by the path of the pod. */
  readonly logs = new Map<string, (response: ServerResponse) => void>();
  connections = 0;
  readonly #collections = new Map<string, FakeCollection>();
  readonly #faults: { left: number; fault: Fault }[] = [];
  readonly #certificate: string | undefined;
  readonly #server: Server;

  private constructor({ tls = false }: FakeKubeApiserverOptions) {
    const listener: RequestListener = (request, response) => void this.#respond(request, response);
    const identity = tls ? selfSigned() : undefined;
    this.#certificate = identity?.cert;
    this.#server = identity ? createTlsServer({ ...identity }, listener) : createServer(listener);
    this.#server.on(tls ? "secureConnection" : "connection", () => (this.connections += 1));
  }

  static async start(options: FakeKubeApiserverOptions = {}): Promise<FakeKubeApiserver> {
    const fake = new FakeKubeApiserver(options);
    await new Promise<void>((listening) => fake.#server.listen(0, "127.0.0.1", listening));
    return fake;
  }

  get url(): string {
    const scheme = this.#certificate === undefined ? "http" : "https";
    return `${scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connection(): KubeConnection {
    const credentials = { ca: this.#certificate, token: TOKEN };
    return { server: new URL(this.url), credentials: async () => credentials };
  }

  client(options: Partial<KubeClientOptions> = {}): KubeClient {
    return createKubeClient(this.connection, { userAgent: "glovebox-test", ...options });
  }

  collection(path: string): FakeCollection {
    const held = this.#collections.get(path) ?? new FakeCollection(path, this.history);
    this.#collections.set(path, held);
    return held;
  }

  /** Lets matching requests fail; the first fault that matches counts. */
  fail(fault: Fault): void {
    this.#faults.push({ left: fault.times, fault });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const { method = "GET", headers } = request;
    const body = headers["content-length"] === undefined ? undefined : await json(request);
    const seen = { method, path: url.pathname, query: url.searchParams, headers, body };
    this.requests.push(seen);
    if (this.#certificate !== undefined && headers.authorization !== `Bearer ${TOKEN}`)
      return refuse(response, 401, "Unauthorized");
    const fault = this.#faults.find(({ left, fault }) => left > 0 && fault.matches(seen));
    if (fault !== undefined) {
      fault.left -= 1;
      return fault.fault.act(response);
    }
    try {
      this.#route(seen, response);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(response, error.code, error.reason);
    }
  }

  #route(seen: SeenRequest, response: ServerResponse): void {
    const parts = seen.path.split("/").slice(1);
    const root = parts[0] === "api" ? 2 : 3;
    const depth = parts[root] === "namespaces" && parts.length > root + 2 ? root + 3 : root + 1;
    const collection = `/${parts.slice(0, depth).join("/")}`;
    const [name, subresource] = parts.slice(depth);
    if (subresource === "log") return (this.logs.get(seen.path) ?? notFound)(response);
    if (name !== undefined) return send(response, 200, this.#one(seen, collection, name));
    if (seen.method === "POST") {
      return send(response, 201, this.collection(collection).create(seen.body as FakeObject));
    }
    if (seen.query.get("watch") === "true") return this.watches.open(collection, seen.query, response);
    send(response, 200, listPage(this.history, this.collection(collection), seen));
  }

  #one({ method, body }: SeenRequest, path: string, name: string): FakeObject {
    const collection = this.collection(path);
    if (method === "PUT") return collection.replace(name, body as FakeObject);
    if (method === "PATCH") return collection.merge(name, body as FakeObject);
    if (method !== "DELETE") return collection.get(name);
    return collection.delete(name, (body as { preconditions?: { uid?: string } }).preconditions?.uid);
  }
}

/** Responds with a Status object. */
export function refuse(response: ServerResponse, code: number, reason: string, headers = {}): void {
  send(response, code, { kind: "Status", apiVersion: "v1", status: "Failure", code, reason }, headers);
}

function send(response: ServerResponse, code: number, body: unknown, headers = {}): void {
  response.writeHead(code, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

const notFound = (response: ServerResponse): void => refuse(response, 404, "NotFound");
