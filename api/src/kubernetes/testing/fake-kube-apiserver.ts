import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { API_VERSION, type ScanManifest, type ScanResource } from "@glovebox/k8s";
import type { KubeConnection } from "../connection.ts";
import { selfSigned } from "./self-signed.ts";

/** What of the Kubernetes API the launcher uses, for one namespace; the real one is met by the tests of the cluster. */
export interface FakeKubeApiserver {
  readonly connection: KubeConnection;
  /** The certificate that its clients trust. */
  readonly ca: string;
  readonly scans: Map<string, ScanResource>;
  /** Names of Scans in the order of their creation. */
  readonly created: string[];
  /** Uid of the namespace. */
  namespaceUid: string;
  /** Method and path of every request so far. */
  readonly requests: string[];
  /** While set, every request is answered with this status and reason; "drop": with a cut connection; "hang": never. */
  failWith: { readonly status: number; readonly reason: string } | "drop" | "hang" | undefined;
  /** The next request on a kept connection finds it closed. */
  dropNext: boolean;
  /** How many connections were made. */
  connections: number;
  close(): Promise<void>;
}

const TOKEN = "fake-token";
const NAMESPACE = "scans";
const COLLECTION = `/apis/${API_VERSION}/namespaces/${NAMESPACE}/scans`;
type Reply = readonly [status: number, body: object];

export async function startFakeKubeApiserver(): Promise<FakeKubeApiserver> {
  const { key, cert } = selfSigned();
  const server = createServer({ key, cert }, (request, response) => void serve(fake, request, response));
  server.on("secureConnection", () => fake.connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const fake: FakeKubeApiserver = {
    connection: {
      host: "127.0.0.1",
      port: (server.address() as AddressInfo).port,
      credentials: async () => ({ ca: cert, token: TOKEN }),
    },
    ca: cert,
    scans: new Map(),
    created: [],
    namespaceUid: randomUUID(),
    requests: [],
    failWith: undefined,
    dropNext: false,
    connections: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

async function serve(
  fake: FakeKubeApiserver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  fake.requests.push(`${request.method} ${request.url}`);
  if (fake.failWith === "hang") return;
  if (fake.failWith === "drop" || fake.dropNext) {
    fake.dropNext = false;
    return void request.destroy();
  }
  const [status, body] = await replyTo(fake, request);
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

async function replyTo(fake: FakeKubeApiserver, request: IncomingMessage): Promise<Reply> {
  const body = await text(request);
  if (typeof fake.failWith === "object") return failure(fake.failWith.status, fake.failWith.reason);
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return failure(401, "Unauthorized");
  const { pathname, searchParams } = new URL(request.url!, "https://fake");
  if (pathname === COLLECTION && request.method === "GET") return list(fake, searchParams);
  if (pathname === COLLECTION) return create(fake, JSON.parse(body) as ScanManifest);
  if (pathname === `/api/v1/namespaces/${NAMESPACE}`)
    return [200, { kind: "Namespace", metadata: { name: NAMESPACE, uid: fake.namespaceUid } }];
  const scan = fake.scans.get(pathname.slice(COLLECTION.length + 1));
  if (!pathname.startsWith(`${COLLECTION}/`) || !scan) return failure(404, "NotFound");
  return request.method === "DELETE" ? remove(fake, scan, body) : [200, scan];
}

function remove({ scans }: FakeKubeApiserver, { metadata }: ScanResource, body: string): Reply {
  const { preconditions } = JSON.parse(body || "{}") as { preconditions?: { uid: string } };
  if (preconditions && preconditions.uid !== metadata.uid) return failure(409, "Conflict");
  scans.delete(metadata.name);
  return [200, { kind: "Status", status: "Success" }];
}

const failure = (code: number, reason: string): Reply => [
  code,
  { kind: "Status", status: "Failure", reason, code },
];

function create({ scans, created }: FakeKubeApiserver, manifest: ScanManifest): Reply {
  const name = manifest.metadata.name!;
  if (scans.has(name)) return failure(409, "AlreadyExists");
  const creationTimestamp = new Date().toISOString();
  const metadata = { ...manifest.metadata, name, namespace: NAMESPACE, uid: randomUUID() };
  const scan = { ...manifest, metadata: { ...metadata, generation: 1, creationTimestamp } };
  scans.set(name, scan);
  created.push(name);
  return [201, scan];
}

function list({ scans }: FakeKubeApiserver, query: URLSearchParams): Reply {
  const limit = Number(query.get("limit"));
  const from = Number(query.get("continue") ?? 0);
  const items = [...scans.values()].slice(from, from + limit).map(({ metadata }) => ({ metadata }));
  const rest = from + limit < scans.size ? { continue: String(from + limit) } : {};
  return [200, { kind: "PartialObjectMetadataList", metadata: rest, items: items.length > 0 ? items : null }];
}
