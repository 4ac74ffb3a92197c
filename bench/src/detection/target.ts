import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { TlsOptions } from "node:tls";
import type { ScanOrder } from "@glovebox/contract";
import { createDemoCertificates, type DemoCertificates } from "@glovebox/demo";
import { apiDocument, BEARER } from "../../../scanner-job/src/testing/api-document.ts";
import { fakeApi } from "../../../scanner-job/src/testing/fake-api.ts";
import { serve, type Served } from "../../../scanner-job/src/testing/serve.ts";
import type { Interference } from "./interferences.ts";
import type { Host, Row, Routes, Side } from "./row.ts";

/** A labelled API behind TLS on loopback. */
export interface Target extends AsyncDisposable {
  /** Without a port. */
  readonly name: string;
  readonly port: number;
  readonly caPem: string;
  /** Its OpenAPI document, as JSON; undefined where the scanner must find it. */
  readonly document: string | undefined;
}

let certificates: Promise<DemoCertificates> | undefined;

/** One side of all rows as one API, with interference in front. */
export async function startTarget(
  rows: readonly Row[],
  side: Side,
  { interference, host = {} }: { readonly interference: Interference; readonly host?: Host | undefined },
): Promise<Target> {
  const { caPem, certPem, keyPem } = await (certificates ??= createDemoCertificates());
  const listener = fakeApi(interference.routes({ ...ENTRY, ...routesOf(rows, side) }));
  const tls = host.tls ?? { key: keyPem, cert: certPem };
  const server = interference.http2
    ? await serveHttp2(listener, tls)
    : await serve(listener, tls, host.plain && fakeApi(host.plain));
  const document = { ...documentOf(rows, side), ...declaredBy(host) };
  return {
    name: host.name ?? "127.0.0.1",
    port: server.port,
    caPem: host.caPem ?? caPem,
    document: host.documentIsNotGiven
      ? undefined
      : JSON.stringify(interference.document?.(document) ?? document),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The order of a scan of the target. */
export const orderOf = ({ name, port, caPem, document }: Target, limits: ScanOrder["limits"]): ScanOrder => ({
  scanId: "bench",
  url: `https://${name}:${port}/`,
  pins: [{ host: name, addresses: ["127.0.0.1"], ports: [port] }],
  extraCa: caPem,
  limits,
  ...(document === undefined ? {} : { spec: { from: "text", text: document } }),
});

async function serveHttp2(
  listener: RequestListener,
  tls: TlsOptions,
): Promise<Pick<Served, "port"> & AsyncDisposable> {
  const server = createSecureServer(
    { ...tls, allowHTTP1: true },
    listener as unknown as Parameters<Http2SecureServer["on"]>[1] & RequestListener,
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

const declaredBy = ({ servers, securitySchemes }: Host): object => ({
  ...(servers && { servers: servers.map((url) => ({ url })) }),
  ...(securitySchemes && { components: { securitySchemes } }),
});

const ENTRY: Routes = {
  "GET /": { json: { name: "Town library" }, headers: { "strict-transport-security": "max-age=31536000" } },
};

const routesOf = (rows: readonly Row[], side: Side): Routes =>
  Object.assign({}, ...rows.map((row) => row[side])) as Routes;

function documentOf(rows: readonly Row[], side: Side): object {
  const paths = rows.map(
    (row) => (side === "safe" ? (row.safeDocument ?? row.document) : row.document) ?? {},
  );
  return apiDocument(Object.assign({}, ...paths) as Record<string, object>, {
    components: BEARER.components,
  });
}
