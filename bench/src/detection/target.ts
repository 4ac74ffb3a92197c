import type { RequestListener } from "node:http";
import { createSecureServer, type Http2SecureServer } from "node:http2";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createDemoCertificates, type DemoCertificates } from "@glovebox/demo";
import { apiDocument, BEARER } from "../../../scanner-job/src/testing/api-document.ts";
import { fakeApi } from "../../../scanner-job/src/testing/fake-api.ts";
import type { Nuisance } from "./nuisances.ts";
import type { Row, Routes } from "./row.ts";

export type Side = "weak" | "safe";

/** A labelled API behind TLS on loopback. `url` ends with a slash. */
export interface Target extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly caPem: string;
  /** Its OpenAPI document, as JSON. */
  readonly document: string;
}

let certificates: Promise<DemoCertificates> | undefined;

/** One side of all rows as one API, with a nuisance in front. */
export async function startTarget(rows: readonly Row[], side: Side, nuisance: Nuisance): Promise<Target> {
  const { caPem, certPem, keyPem } = await (certificates ??= createDemoCertificates());
  const listener = fakeApi(nuisance.routes({ ...ENTRY, ...routesOf(rows, side) }));
  const tls = { key: keyPem, cert: certPem };
  const server = nuisance.http2
    ? createSecureServer(
        { ...tls, allowHTTP1: true },
        listener as unknown as Parameters<Http2SecureServer["on"]>[1] & RequestListener,
      )
    : createServer(tls, listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const document = documentOf(rows, side);
  return {
    url: `https://127.0.0.1:${port}/`,
    port,
    caPem,
    document: JSON.stringify(nuisance.document?.(document) ?? document),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
    },
  };
}

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
