import { type IncomingMessage, type ServerResponse, request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { createDemoCertificates } from "@glovebox/demo";

/** HTTPS in front of an API that speaks plain HTTP on a loopback port. `url` ends without a slash. */
export interface TlsFront extends AsyncDisposable {
  readonly url: string;
  readonly caPem: string;
}

/** Passes requests and answers on as they are, headers and all, and says that it was HTTPS; no answer is a 502. */
export async function startTlsFront(upstreamPort: number): Promise<TlsFront> {
  const { caPem, certPem, keyPem } = await createDemoCertificates();
  const server = createServer({ cert: certPem, key: keyPem }, (incoming, outgoing) =>
    passOn(incoming, outgoing, upstreamPort),
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

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, port: number): void {
  const upstream = request({
    host: "127.0.0.1",
    port,
    agent: false,
    method: incoming.method,
    path: incoming.url,
    setHost: false,
    headers: [...incoming.rawHeaders, "X-Forwarded-Proto", "https"],
  });
  upstream.on("response", (answer) => {
    outgoing.sendDate = false;
    outgoing.writeHead(answer.statusCode!, answer.statusMessage, endToEnd(answer.rawHeaders));
    pipeline(answer, outgoing, () => upstream.destroy());
  });
  upstream.on("error", () => refuse(outgoing));
  pipeline(incoming, upstream, () => {});
  outgoing.on("close", () => upstream.destroy());
}

function refuse(outgoing: ServerResponse): void {
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(502).end();
}

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Raw headers, name and value in turn, without those that belong to one connection (RFC 9110, 7.6.1). */
function endToEnd(raw: readonly string[]): string[] {
  return raw.filter((_, index) => !HOP_BY_HOP.has(raw[index - (index % 2)]!.toLowerCase()));
}
