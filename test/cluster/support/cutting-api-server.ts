import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A way to the API server of KUBECONFIG that cuts the logs of pods: whoever reads one is told no error. */
export interface CuttingApiServer {
  /** For whoever is to go this way. */
  readonly kubeconfig: string;
  /** Reads of a log so far, cut or not, of pods whose name begins so. */
  readonly reads: (pod?: string) => number;
  close(): Promise<void>;
}

/** Cuts the first so many reads of logs in half; `kubectl proxy` does the rest. */
export async function cuttingApiServer(cuts: number): Promise<CuttingApiServer> {
  const proxy = spawn("kubectl", ["proxy", "--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
  const upstream = await portOf(proxy.stdout);
  const reads: string[] = [];
  const server = createServer((request, response) => {
    const pod = podOfLog(request);
    const isCut = pod !== undefined && reads.push(pod) <= cuts;
    forward(request, response, { port: upstream, isCut });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = mkdtempSync(join(tmpdir(), "glovebox-cutting-"));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, configFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
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

async function portOf(said: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: said })) {
    const [, port] = /:(\d+)$/.exec(line) ?? [];
    if (port) return Number(port);
  }
  throw new Error("kubectl proxy did not start");
}

/** The pod whose log is read; none where it is followed. */
const podOfLog = ({ url = "" }: IncomingMessage): string | undefined =>
  url.includes("follow=true") ? undefined : /\/pods\/([^/]+)\/log\?/.exec(url)?.[1];

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { port, isCut }: { port: number; isCut: boolean },
): void {
  const { method, url, headers } = request;
  const options = {
    host: "127.0.0.1",
    port,
    method,
    path: url,
    headers: { ...headers, host: `127.0.0.1:${port}` },
  };
  const upstream = send(options, (answer) => {
    // Undefined where it is cut: nothing announces how much there was.
    const length = isCut ? undefined : answer.headers["content-length"];
    const { "content-length": _, ...rest } = answer.headers;
    response.writeHead(answer.statusCode!, {
      ...rest,
      ...(length !== undefined && { "content-length": length }),
    });
    if (!isCut) return void answer.pipe(response);
    void buffer(answer).then((body) => response.end(body.subarray(0, body.length / 2)));
  });
  upstream.on("error", () => response.destroy());
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
}

const configFor = (server: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "cut",
    contexts: [{ name: "cut", context: { cluster: "cut", user: "cut" } }],
    clusters: [{ name: "cut", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "cut", user: {} }],
  });
