import { createServer } from "node:http";
import { MALFORMED } from "./exchange.ts";
import { WriteLedger } from "../writes/ledger.ts";
import { constants, createSecureServer, type Http2SecureServer, type SecureServerOptions } from "node:http2";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { createDemoCertificates } from "@glovebox/demo";
import { describe, expect, it } from "vitest";
import { fakeApi, type Route } from "../testing/fake-api.ts";
import { MAX_BODY_BYTES, type ProbeRequest } from "./exchange.ts";
import { createTransport, type Transport } from "./transport.ts";

const { keyPem, certPem } = await createDemoCertificates();

interface Served {
  readonly transport: Transport;
  readonly url: string;
  readonly port: number;
  readonly server: Http2SecureServer;
  /** The HTTP version and path of each request, in order. */
  readonly seen: readonly string[];
}

/** Serves over HTTP/2, and over HTTP/1.1 where the options allow it. */
async function withServer(
  routes: Record<string, Route>,
  options: SecureServerOptions,
  use: (served: Served) => Promise<void>,
): Promise<void> {
  const seen: string[] = [];
  const api = fakeApi(routes);
  const server = createSecureServer({ key: keyPem, cert: certPem, ...options }, (request, response) => {
    seen.push(`${request.httpVersion} ${request.url}`);
    api(request as never, response as never);
  });
  const sessions = new Set<{ destroy(): void }>();
  server.on("session", (session) => sessions.add(session));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const transport = transportTo(port);
  try {
    await use({ transport, url: `https://127.0.0.1:${port}`, port, server, seen });
  } finally {
    await transport.close();
    for (const session of sessions) session.destroy();
    server.close();
  }
}

const transportTo = (port: number): Transport =>
  createTransport({
    writes: new WriteLedger(),
    order: {
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [port] }],
      limits: { deadlineSeconds: 30, maxRequests: 50 },
    },
    signal: AbortSignal.timeout(30_000),
    now: () => performance.now(),
    today: () => new Date(),
  });

const get = (url: string): ProbeRequest => ({ method: "GET", url });
const ONLY_HTTP2 = { allowHTTP1: false };

describe("a target that speaks HTTP/2", { timeout: 30_000 }, () => {
  it("a target that speaks HTTP/2 and nothing else is spoken to over it, concurrently over one connection", async () => {
    let connections = 0;
    await withServer(
      { "GET /{n}": ({ path }) => ({ json: { path } }) },
      ONLY_HTTP2,
      async ({ transport, url, seen, server }) => {
        server.on("secureConnection", () => (connections += 1));
        await transport.send(get(`${url}/0`));
        const responses = await Promise.all(
          [1, 2, 3, 4, 5, 6].map((n) => transport.send(get(`${url}/${n}`))),
        );
        expect(responses.map(({ status, json }) => [status, (json as { path: string }).path])).toContainEqual(
          [200, "/6"],
        );
        expect(new Set(seen.map((each) => each.split(" ")[0]))).toEqual(new Set(["2.0"]));
        expect(connections).toBe(1);
      },
    );
  });

  it("gets headers and bodies, and its responses have headers and cookies as over HTTP/1.1", async () => {
    const route: Route = ({ headers, body }) => ({
      status: 201,
      headers: { "x-echo": String(headers["x-probe"]), "set-cookie": ["a=1", "b=2"] },
      json: { body, authority: headers[":authority"] },
    });
    await withServer({ "POST /a": route }, ONLY_HTTP2, async ({ transport, url, port }) => {
      const response = await transport.send({
        method: "POST",
        url: `${url}/a`,
        headers: { "X-Probe": "p", "content-type": "application/json" },
        body: "{}",
        form: MALFORMED,
      });
      expect(response.status).toBe(201);
      expect(response.headers).toMatchObject({ "x-echo": "p", "set-cookie": "a=1\nb=2" });
      expect(response.json).toEqual({ body: "{}", authority: `127.0.0.1:${port}` });
    });
  });

  it("a target that speaks HTTP/2 and HTTP/1.1 too gets raw paths, and headers that HTTP/2 does not have, over HTTP/1.1", async () => {
    await withServer(
      { "* *": ({ headers }) => ({ json: headers }) },
      { allowHTTP1: true },
      async ({ transport, url, seen }) => {
        await transport.send({ method: "GET", url, rawPath: "/a/..;/%2e/b" });
        const hosted = await transport.send({ ...get(`${url}/c`), headers: { host: "internal.test" } });
        expect(seen).toEqual(["1.1 /a/..;/%2e/b", "1.1 /c"]);
        expect(hosted.json).toMatchObject({ host: "internal.test" });
      },
    );
  });

  it("a target that speaks HTTP/2 and nothing else gets raw paths over HTTP/2, as they are", async () => {
    await withServer({ "* *": { json: {} } }, ONLY_HTTP2, async ({ transport, url, seen }) => {
      await transport.send({ method: "GET", url, rawPath: "/a/%2e%2e/b//c" });
      expect(seen).toEqual(["2.0 /a/%2e%2e/b//c"]);
    });
  });

  it("a target that speaks HTTP/2 has no more read of its body than the limit, and other responses still arrive", async () => {
    const routes = { "GET /": { body: "x".repeat(MAX_BODY_BYTES * 4) }, "GET /b": { json: 1 } };
    await withServer(routes, ONLY_HTTP2, async ({ transport, url }) => {
      const { body, truncated } = await transport.send(get(`${url}/`));
      expect([body.length, truncated]).toEqual([MAX_BODY_BYTES, true]);
      expect((await transport.send(get(`${url}/b`))).json).toBe(1);
    });
  });

  it("a target that speaks HTTP/2 is reached at its pinned addresses alone", async () => {
    await withServer({}, ONLY_HTTP2, async ({ transport, port }) => {
      await expect(transport.send(get(`https://localhost:${port}/`))).rejects.toMatchObject({
        kind: "out_of_scope",
      });
    });
  });

  it("a target that speaks HTTP/2 and cuts a stream is heard to cut the connection", async () => {
    await withServer({}, ONLY_HTTP2, async ({ transport, url, server }) => {
      server.removeAllListeners("request");
      server.on("stream", (stream) => {
        stream.on("error", () => {});
        stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      });
      await expect(transport.send(get(url))).rejects.toMatchObject({ name: "NetworkError", kind: "reset" });
    });
  });

  it("a target that speaks HTTP/2 but not rightly is spoken to over HTTP/1.1", async () => {
    const api = createServer(fakeApi({ "* *": { json: "here" } }));
    let broken = 0;
    const server = createTlsServer(
      {
        key: keyPem,
        cert: certPem,
        ALPNCallback: ({ protocols }) => (protocols.includes("h2") ? "h2" : "http/1.1"),
      },
      (socket) => {
        socket.on("error", () => {});
        if (socket.alpnProtocol !== "h2") return void api.emit("connection", socket);
        broken += 1;
        socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
      },
    );
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const transport = transportTo(port);
    try {
      const url = `https://127.0.0.1:${port}`;
      expect((await transport.send(get(`${url}/a`))).json).toBe("here");
      expect((await transport.send(get(`${url}/b`))).json).toBe("here");
      expect(broken).toBe(1);
    } finally {
      await transport.close();
      api.closeAllConnections();
      server.close();
    }
  });
});
