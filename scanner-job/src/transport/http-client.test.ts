import { constants, gzipSync } from "node:zlib";
import { MALFORMED } from "./exchange.ts";
import { WriteLedger } from "../writes/ledger.ts";
import { describe, expect, it } from "vitest";
import { fakeApi, type Route } from "../testing/fake-api.ts";
import { serve, type Served } from "../testing/serve.ts";
import { MAX_BODY_BYTES, type ProbeRequest } from "./exchange.ts";
import { createTransport, type Transport } from "./transport.ts";

async function withTransport<T>(
  routes: Record<string, Route>,
  use: (transport: Transport, url: string) => Promise<T>,
  maxRequests: number = 50,
): Promise<T> {
  await using server = await serve(fakeApi(routes));
  const transport = transportTo(server, maxRequests);
  try {
    return await use(transport, server.url);
  } finally {
    await transport.close();
  }
}

const transportTo = ({ port }: Pick<Served, "port">, maxRequests = 5): Transport =>
  createTransport({
    writes: new WriteLedger(),
    order: {
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [port] }],
      limits: { deadlineSeconds: 30, maxRequests },
    },
    signal: AbortSignal.timeout(30_000),
    now: () => performance.now(),
    today: () => new Date(),
  });

const get = (url: string): ProbeRequest => ({ method: "GET", url });

describe("send", () => {
  it("shares identical reads of a pass, and sends them again in the second", async () => {
    let asked = 0;
    await withTransport({ "GET /": () => ({ json: ++asked }) }, async (transport, url) => {
      const first = await Promise.all([transport.send(get(url)), transport.send(get(url))]);
      expect(first.map(({ json }) => json)).toEqual([1, 1]);
      expect((await transport.send(get(url), { pass: 2 })).json).toBe(2);
      expect((await transport.send(get(url), { share: false })).json).toBe(3);
    });
  });

  it("shares identical requests of any method, and none that differs in its headers or body", async () => {
    let asked = 0;
    await withTransport({ "POST /": () => ({ status: 404, json: ++asked }) }, async (transport, url) => {
      const post = { ...get(url), method: "POST", body: "{", form: MALFORMED };
      const requests = [post, post, { ...post, body: "[" }, { ...post, headers: { accept: "*/*" } }];
      const bodies = [];
      for (const request of requests) bodies.push((await transport.send(request)).json);
      expect(bodies).toEqual([1, 1, 2, 3]);
    });
  });

  it("remembers each read that got 429 once, the latest first", async () => {
    const tooMany = { status: 429, headers: { "retry-after": "0" } };
    const routes = { "GET /a": tooMany, "GET /b": tooMany, "GET /c": {}, "POST /a": tooMany };
    await withTransport(routes, async (transport, url) => {
      for (const path of ["/a", "/a", "/b", "/c"]) await transport.send(get(url + path), { share: false });
      await transport.send({ method: "POST", url: `${url}/a`, form: MALFORMED });
      expect(transport.throttled.map((request) => new URL(request.url).pathname)).toEqual(["/b", "/a"]);
    });
  });

  it("follows no redirect", async () => {
    const routes = { "GET /": { status: 302, headers: { location: "/elsewhere" } } };
    await withTransport(routes, async (transport, url) =>
      expect((await transport.send(get(url))).status).toBe(302),
    );
  });

  it("reads no more of a body than its limit, and marks it as truncated", async () => {
    const routes = { "GET /": { body: "x".repeat(MAX_BODY_BYTES + 10) } };
    await withTransport(routes, async (transport, url) => {
      const { body, truncated } = await transport.send(get(url));
      expect([body.length, truncated]).toEqual([MAX_BODY_BYTES, true]);
    });
  });

  it.each([
    ["", (events: string) => events],
    ["compressed ", (events: string) => gzipSync(events, { finishFlush: constants.Z_SYNC_FLUSH })],
  ])("uses what has arrived of a %sbody without an end, and marks it as truncated", async (kind, encoded) => {
    const events = 'data: {"seat":7}\n\n';
    await using server = await serve((_, response) => {
      response.writeHead(200, {
        "content-type": "text/event-stream",
        ...(kind !== "" && { "content-encoding": "gzip" }),
      });
      response.write(encoded(events));
    });
    const transport = transportTo(server);
    const { body, truncated, status } = await transport.send(get(server.url));
    expect([status, body, truncated]).toEqual([200, events, true]);
    await transport.close();
  });

  it("decodes a compressed body, and stops a decompression bomb at the same limit", async () => {
    const bomb = gzipSync(Buffer.alloc(MAX_BODY_BYTES * 8, "x")).toString("latin1");
    const handler = { status: 200, headers: { "content-encoding": "gzip" }, body: bomb };
    await using server = await serve((_, response) => {
      response.writeHead(handler.status, handler.headers);
      response.end(Buffer.from(handler.body, "latin1"));
    });
    const transport = transportTo(server);
    const { body, truncated } = await transport.send(get(server.url));
    expect([body.length, truncated]).toEqual([MAX_BODY_BYTES, true]);
    await transport.close();
  });

  it("sends a raw path as it is, without normalising it", async () => {
    await withTransport({ "* *": ({ path }) => ({ body: path }) }, async (transport, url) => {
      const response = await transport.send({ method: "GET", url, rawPath: "/admin/%2e/users" });
      expect(response.status).toBe(200);
    });
  });

  it("refuses a request that may write and states no form", async () => {
    await withTransport({ "* *": {} }, async (transport, url) => {
      await expect(transport.send({ method: "DELETE", url })).rejects.toThrow("DELETE needs a form");
    });
  });

  it("refuses an address outside its scope, and sends nothing", async () => {
    await withTransport({}, async (transport) => {
      await expect(transport.send(get("http://127.0.0.1:1/"))).rejects.toMatchObject({
        kind: "out_of_scope",
      });
      expect(transport.requestsSent).toBe(0);
    });
  });

  it("stops when its budget of requests is used up", async () => {
    await withTransport(
      { "* *": {} },
      async (transport, url) => {
        await transport.send(get(`${url}/1`));
        await transport.send(get(`${url}/2`));
        await expect(transport.send(get(`${url}/3`))).rejects.toMatchObject({ kind: "budget" });
      },
      2,
    );
  });

  it("distinguishes a closed connection from a response", async () => {
    await withTransport({ "GET /": { cut: true } }, async (transport, url) => {
      await expect(transport.send(get(url))).rejects.toMatchObject({ name: "NetworkError", kind: "reset" });
    });
  });
});
