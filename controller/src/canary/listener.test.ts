import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseProbeResult } from "./protocol.ts";
import { type Canary, startCanary } from "./listener.ts";

const GAP_MS = 3_000;

const address = "127.0.0.1";
const PEER = "0123456789abcdef0123456789abcdef";

let now: number;
let canary: Canary;
beforeEach(async () => {
  now = 5_000;
  canary = await startCanary({ addresses: [address], port: 0, monotonic: () => now });
});
afterEach(() => canary.close());

/** What it says to somebody who gives this name, or none. */
async function call(name = ""): Promise<ReturnType<typeof parseProbeResult>> {
  const socket = connect({ host: address, port: canary.port });
  socket.end(name);
  return parseProbeResult(await text(socket));
}

describe("a canary", () => {
  test("says which process it is, how old, and at which addresses it listens", async () => {
    now += 1_234;
    expect(await call()).toEqual({
      instance: canary.instance,
      ageMs: 1_234,
      addresses: [address],
      reachedSinceMs: {},
    });
  });

  test("a canary that is started again is another one", async () => {
    const other = await startCanary({ addresses: [address], port: 0, monotonic: () => now });
    expect(other.instance).not.toBe(canary.instance);
    await other.close();
  });

  test("says since when peers have reached it", async () => {
    now += 1_000;
    await call(PEER);
    now += 2_000;
    expect((await call(PEER))!.reachedSinceMs).toEqual({ IPv4: 1_000 });
  });

  test("forgets the time before a gap in which nobody reached it", async () => {
    await call(PEER);
    now += GAP_MS + 1;
    expect((await call())!.reachedSinceMs).toEqual({});
    await call(PEER);
    now += 500;
    expect((await call(PEER))!.reachedSinceMs).toEqual({ IPv4: GAP_MS + 1 });
  });

  test.each<[string, () => string]>([
    ["itself", () => canary.instance],
    ["somebody without a name, as a scanner is", () => ""],
    ["somebody with more to say than a name", () => PEER.repeat(3)],
  ])("a canary does not count a call of %s", async (_, name) => {
    await call(name()).catch(() => undefined);
    now += 10;
    expect((await call())!.reachedSinceMs).toEqual({});
  });

  test("listens at each address of its pod, at one port", async () => {
    const both = await startCanary({ addresses: ["127.0.0.1", "127.0.0.2"], port: 0, monotonic: () => now });
    const socket = connect({ host: "127.0.0.2", port: both.port });
    socket.end();
    expect(parseProbeResult(await text(socket))).toMatchObject({ addresses: ["127.0.0.1", "127.0.0.2"] });
    await both.close();
  });
});

test.each([undefined, "", "{}", "hello", '{"instance":"x"}'])("%j is not a canary's result", (said) => {
  expect(parseProbeResult(said)).toBeUndefined();
});
