import { getEventListeners, once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { systemClock } from "@glovebox/kube";
import { createFakeClock } from "@glovebox/kube/testing";
import { expect, test } from "vitest";
import { parseProbeResult } from "./protocol.ts";
import { startCanary } from "./listener.ts";
import { probe, Prober } from "./prober.ts";

test("a canary that a peer probes every second is reached, and one that probes only itself is not", async () => {
  const options = { addresses: ["127.0.0.1"], port: 0, monotonic: systemClock.monotonic };
  await using canary = asDisposable(await startCanary(options));
  const clock = createFakeClock();
  const targets = [{ host: "127.0.0.1", port: canary.port }];
  const itself = new Prober({ targets, clock, instance: canary.instance });
  const peer = new Prober({ targets, clock });
  const at = { address: "127.0.0.1", port: canary.port };
  expect(parseProbeResult(await itself.probe(at))!.reachedSinceMs).toEqual({});
  expect(parseProbeResult(await peer.probe(at))!.reachedSinceMs).toEqual({ IPv4: expect.any(Number) });
  itself.stop();
  peer.stop();
});

test("what a name is found at is probed, and still is while it cannot be looked up", async () => {
  const clock = createFakeClock();
  const found = [["10.0.0.1"], ["10.0.0.1", "fd00::1"]];
  let rounds: string[] = [];
  const prober = new Prober({
    targets: [{ host: "canary", port: 8099 }],
    clock,
    addressesOf: async () => found.shift() ?? Promise.reject(new Error("no name server")),
    async probe({ address, port }) {
      rounds.push(`${address} ${port}`);
      return undefined;
    },
  });
  prober.start();
  await clock.advance(1_000);
  expect(rounds).toEqual(["10.0.0.1 8099", "10.0.0.1 8099"]);
  await clock.advance(3_000);
  rounds = [];
  await clock.advance(6_000);
  expect(new Set(rounds)).toEqual(new Set(["10.0.0.1 8099", "fd00::1 8099"]));
  prober.stop();
  rounds = [];
  await clock.advance(3_000);
  expect(rounds).toEqual([]);
});

test("an address that is slow to respond is not called a second time meanwhile", async () => {
  const clock = createFakeClock();
  const responses: (() => void)[] = [];
  const prober = new Prober({
    targets: [{ host: "10.0.0.1", port: 8099 }],
    clock,
    probe: () => new Promise((resolve) => responses.push(() => resolve(undefined))),
  });
  prober.start();
  await clock.advance(5_000);
  expect(responses).toHaveLength(1);
  responses[0]!();
  await clock.advance(1_000);
  expect(responses).toHaveLength(2);
  prober.stop();
});

test("a probe that has ended leaves nothing with the signal that would end it", async () => {
  const options = { addresses: ["127.0.0.1"], port: 0, monotonic: systemClock.monotonic };
  await using canary = asDisposable(await startCanary(options));
  const { signal } = new AbortController();
  const at = { address: "127.0.0.1", port: canary.port };
  for (let times = 0; times < 3; times++)
    expect(parseProbeResult(await probe(at, "0".repeat(32), signal))).toBeDefined();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a probe that is stopped gives no result", async () => {
  await using silent = await startSilentServer();
  const stopping = new AbortController();
  const result = probe({ address: "127.0.0.1", port: silent.port }, "0".repeat(32), stopping.signal);
  await silent.connected;
  stopping.abort();
  expect(await result).toBeUndefined();
});

async function startSilentServer() {
  const connected = Promise.withResolvers<void>();
  const server = createServer(() => connected.resolve()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connected: connected.promise,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

const asDisposable = <T extends { close(): Promise<void> }>(canary: T) =>
  Object.assign(canary, { [Symbol.asyncDispose]: () => canary.close() });
