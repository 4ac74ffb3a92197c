import type { RequestListener } from "node:http";
import { WriteLedger } from "../writes/ledger.ts";
import type { ApiDocument } from "../inventory/api-document.ts";
import { readDocument } from "../inventory/api-document.ts";
import { discover, type Discovery } from "../inventory/discovery/discover.ts";
import { calibrate } from "../oracles/not-found.ts";
import { createTransport } from "../transport/transport.ts";
import { fakeApi, type Route } from "./fake-api.ts";
import { serve } from "./serve.ts";

interface Result extends Discovery {
  /** `GET /users/{id}`, sorted. */
  readonly names: string[];
  readonly requests: string[];
}

export type Target = Record<string, Route> | RequestListener;

/** What discovery finds at a real server, seen through the real transport and calibration. */
export async function discovered(
  target: Target,
  path: string = "/",
  document?: ApiDocument,
): Promise<Result> {
  const requests: string[] = [];
  const handler = typeof target === "function" ? target : fakeApi(target);
  await using server = await serve((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    handler(request, response);
  });
  const transport = createTransport({
    writes: new WriteLedger(),
    order: {
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: { deadlineSeconds: 60, maxRequests: 1_000 },
    },
    signal: AbortSignal.timeout(60_000),
    now: () => performance.now(),
    today: () => new Date(),
  });
  const send = transport.send.bind(transport);
  const base = path.replace(/\/+$/, "");
  const calibration = await calibrate(send, { origin: server.url, base, nonce: "zqxjkvbnmwpt" });
  requests.length = 0;
  const found = await discover({
    send,
    targetUrl: new URL(path, server.url),
    isMissing: (response) => calibration.looksMissing(response),
    readDocument,
    maxRequests: 5_000,
    ...(document ? { document } : {}),
  });
  await transport.close();
  const names = found.operations.map((facts) => `${facts.method} ${facts.base}${facts.path}`).toSorted();
  return { ...found, names, requests };
}

export const html = (body: string): Route => ({ headers: { "content-type": "text/html" }, body });
export const script = (body: string): Route => ({ headers: { "content-type": "text/javascript" }, body });
