import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubeconfigOf } from "../../support/kubeconfig.ts";

/** A proxy before the API server of KUBECONFIG that truncates pod logs without an error for the client. */
export interface TruncatingProxy {
  /** Path of a kubeconfig with the proxy as its server. */
  readonly kubeconfig: string;
  /** Number of log requests so far, truncated or not, for pods whose name starts with `pod`. */
  readonly reads: (pod?: string) => number;
  close(): Promise<void>;
}

/** Sends half of the log in response to the first `count` log requests. Forwards everything to `kubectl proxy`. */
export async function startTruncatingProxy(count: number): Promise<TruncatingProxy> {
  const proxy = spawn("kubectl", ["proxy", "--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
  const upstream = await portOf(proxy.stdout);
  const reads: string[] = [];
  const server = createServer((request, response) => {
    const pod = podOfLog(request);
    const isTruncated = pod !== undefined && reads.push(pod) <= count;
    forward(request, response, { port: upstream, isTruncated });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = mkdtempSync(join(tmpdir(), "glovebox-truncating-"));
  const kubeconfig = join(folder, "kubeconfig");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(kubeconfig, kubeconfigOf({ server: url, "insecure-skip-tls-verify": true }));
  return {
    kubeconfig,
    reads: (pod = "") => reads.filter((name) => name.startsWith(pod)).length,
    async close() {
      server.closeAllConnections();
      server.close();
      proxy.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function portOf(stdout: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: stdout })) {
    const [, port] = /:(\d+)$/.exec(line) ?? [];
    if (port) return Number(port);
  }
  throw new Error("kubectl proxy did not start");
}

/** The pod of a log request; undefined for other requests and for `follow=true`. */
const podOfLog = ({ url = "" }: IncomingMessage): string | undefined =>
  url.includes("follow=true") ? undefined : /\/pods\/([^/]+)\/log\?/.exec(url)?.[1];

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { port, isTruncated }: { port: number; isTruncated: boolean },
): void {
  const { method, url, headers } = request;
  const options = {
    host: "127.0.0.1",
    port,
    method,
    path: url,
    headers: { ...headers, host: `127.0.0.1:${port}` },
  };
  const upstream = send(options, (upstreamResponse) => {
    // A Content-Length would tell the client that the log is truncated.
    const length = isTruncated ? undefined : upstreamResponse.headers["content-length"];
    const { "content-length": _, ...rest } = upstreamResponse.headers;
    response.writeHead(upstreamResponse.statusCode!, {
      ...rest,
      ...(length !== undefined && { "content-length": length }),
    });
    if (!isTruncated) return void upstreamResponse.pipe(response);
    void buffer(upstreamResponse).then((body) => response.end(body.subarray(0, body.length / 2)));
  });
  upstream.on("error", () => response.destroy());
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
}
