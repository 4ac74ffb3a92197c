import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { Readable, pipeline } from "node:stream";
import type { AddressInfo } from "node:net";
import { createEgressPolicy, type EgressPolicy } from "@glovebox/egress";
import { afterEach, expect, test, vi } from "vitest";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { send, type Sent } from "./send.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function receiverThat(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...args);
  cleanups.push(() => receiver.close());
  return receiver;
}

const loopback = createEgressPolicy({ allow: [{ kind: "range", cidr: "127.0.0.0/8" }] });
const BODY = `{"type":"webhook.test"}`;

interface Given {
  readonly ca?: string;
  readonly policy?: EgressPolicy;
  readonly timeoutMs?: number;
  readonly lookup?: () => Promise<readonly string[]>;
}
const post = (url: string, { policy = loopback, ca, timeoutMs = 5_000, lookup }: Given = {}): Promise<Sent> =>
  send(
    { url, headers: { "webhook-id": "event-1" }, body: BODY },
    { policy, timeoutMs, ca, lookup: lookup ?? (async () => Promise.reject(new Error("no such name"))) },
  );

test("a message arrives whole, with its headers and the path and query of the URL", async () => {
  const receiver = await receiverThat();
  expect(await post(`${receiver.url}/hooks?tenant=1`, receiver)).toEqual({ status: 204, error: null });
  expect(receiver.received).toMatchObject([
    { body: BODY, path: "/hooks?tenant=1", headers: { "webhook-id": "event-1", connection: "close" } },
  ]);
});

test.each([
  [200, null],
  [299, null],
  [301, "The receiver responded with 301; redirects are not followed."],
  [404, "The receiver responded with 404."],
  [500, "The receiver responded with 500."],
])("the status %i gives the error %s", async (status, error) => {
  const other = await receiverThat();
  const receiver = await receiverThat((res) => res.writeHead(status, { Location: other.url }).end());
  expect(await post(receiver.url, receiver)).toEqual({ status, error });
  expect(other.connections()).toBe(0);
});

test("a certificate that nobody vouches for is refused, and the body is not sent", async () => {
  const receiver = await receiverThat();
  expect(await post(receiver.url)).toEqual({
    status: null,
    error: expect.stringMatching(/^The certificate is not trusted/),
  });
  expect(receiver.received).toEqual([]);
});

test("a certificate for another name is refused", async () => {
  const receiver = await receiverThat();
  const url = `https://hooks.example:${receiver.port}/`;
  const policy = createEgressPolicy({
    allow: [{ kind: "endpoint", host: "hooks.example", port: receiver.port }],
  });
  expect(await post(url, { ...receiver, policy, lookup: async () => ["127.0.0.1"] })).toEqual({
    status: null,
    error: "The certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID).",
  });
  expect(receiver.connections()).toBe(1); // at the pinned address
});

test("a name is resolved once, and one private address among public ones refuses it", async () => {
  const lookup = vi.fn(async () => ["93.184.215.14", "10.0.0.1"]);
  const sent = await post("https://hooks.example/", { lookup, policy: createEgressPolicy() });
  expect(sent).toEqual({
    status: null,
    error: expect.stringMatching(/^The host hooks\.example is refused: .*private/),
  });
  expect(lookup).toHaveBeenCalledTimes(1);
});

test.each([
  "https://127.0.0.1/",
  "https://169.254.169.254/",
  "https://[::1]/",
  "https://metadata.google.internal/",
])("%s is refused without a connection", async (url) => {
  const sent = await post(url, { policy: createEgressPolicy(), lookup: async () => ["127.0.0.1"] });
  expect(sent).toEqual({ status: null, error: expect.stringMatching(/ is refused: /) });
});

test("plain HTTP is refused, even where the policy allows the address", async () => {
  const receiver = await receiverThat();
  const sent = await post(receiver.url.replace("https:", "http:"));
  expect(sent).toEqual({ status: null, error: "The URL is not HTTPS." });
  expect(receiver.connections()).toBe(0);
});

test("a receiver that says nothing is given up after the time limit", async () => {
  const receiver = await receiverThat(() => undefined);
  expect(await post(receiver.url, { ...receiver, timeoutMs: 300 })).toEqual({
    status: null,
    error: "No response within 0.3 seconds.",
  });
});

test("a name server that says nothing is given up after the time limit, and the lookup is cancelled", async () => {
  const cancelled = Promise.withResolvers<void>();
  const lookup = (_host?: string, signal?: AbortSignal) => {
    signal!.addEventListener("abort", () => cancelled.resolve());
    return new Promise<never>(() => undefined);
  };
  expect(await post("https://hooks.example/", { lookup, timeoutMs: 50 })).toMatchObject({ status: null });
  await cancelled.promise;
});

test("a response without an end counts by its status, and is cut off", async () => {
  const closed = Promise.withResolvers<void>();
  const receiver = await receiverThat((res) => {
    res.on("close", closed.resolve).writeHead(200);
    pipeline(
      new Readable({
        read() {
          this.push("x".repeat(65_536));
        },
      }),
      res,
      () => undefined,
    );
  });
  expect(await post(receiver.url, receiver)).toEqual({ status: 200, error: null });
  await closed.promise;
});

test("headers without an end are refused", async () => {
  const receiver = await receiverThat(({ socket }) => {
    socket!.write("HTTP/1.1 200 OK\r\n");
    for (let line = 0; line < 100; line++) socket!.write(`X: ${"x".repeat(1000)}\r\n`);
  });
  expect(await post(receiver.url, receiver)).toEqual({
    status: null,
    error: "The headers of the response are too long.",
  });
});

test("a port on which nobody listens, and one that does not speak TLS, are named as what they are", async () => {
  const port = await plainPort((socket) => void socket.end("220 smtp.example\r\n"));
  expect(await post(`https://127.0.0.1:${port}/`)).toEqual({
    status: null,
    error: expect.stringMatching(/^The connection failed \(/),
  });
  await cleanups.pop()!();
  expect(await post(`https://127.0.0.1:${port}/`)).toEqual({
    status: null,
    error: "The connection was refused.",
  });
});

async function plainPort(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
