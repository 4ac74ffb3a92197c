import { type IncomingMessage, type ServerResponse, request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { createDemoCertificates } from "@glovebox/demo";

/** A TLS-terminating reverse proxy in front of an HTTP API on a loopback port. `url` has no trailing slash. */
export interface TlsProxy extends AsyncDisposable {
  readonly url: string;
  readonly caPem: string;
}

/** Forwards requests and responses unchanged, adds `X-Forwarded-Proto: https`, and returns 502 without a response. */
export async function startTlsProxy(upstreamPort: number): Promise<TlsProxy> {
  const { caPem, certPem, keyPem } = await createDemoCertificates();
  const server = createServer({ cert: certPem, key: keyPem }, (incoming, outgoing) =>
    forward(incoming, outgoing, upstreamPort),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    caPem,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const upstream = request({
    host: "127.0.0.1",
    port,
    agent: false,
    method: incoming.method,
    path: incoming.url,
    setHost: false,
    headers: [...incoming.rawHeaders, "X-Forwarded-Proto", "https"],
  });
  upstream.on("response", (upstreamResponse) => {
    outgoing.sendDate = false;
    outgoing.writeHead(
      upstreamResponse.statusCode!,
      upstreamResponse.statusMessage,
      endToEnd(upstreamResponse.rawHeaders),
    );
    pipeline(upstreamResponse, outgoing, () => upstream.destroy());
  });
  upstream.on("error", () => badGateway(outgoing));
  pipeline(incoming, upstream, () => {});
  outgoing.on("close", () => upstream.destroy());
}

function badGateway(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(502).end();
}

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Raw headers (alternating names and values) without hop-by-hop headers (RFC 9110, 7.6.1). */
function endToEnd(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !HOP_BY_HOP.has(raw[index - (index % 2)]!.toLowerCase()));
}
