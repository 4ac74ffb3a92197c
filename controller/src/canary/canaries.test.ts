import { createFakeClock, type FakeClock } from "@glovebox/kube/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ProbeResult } from "./protocol.ts";
import { Canaries } from "./canaries.ts";
import type { HostPort } from "./settings.ts";

const [FIRST, SECOND] = ["a".repeat(32), "b".repeat(32)];
const endpoint = (address: string) => ({ address, port: 8099 });
const targets: HostPort[] = ["10.0.0.1", "fd00::1", "10.0.0.2", "fd00::2"].map((host) => ({
  host,
  port: 8099,
}));

/** The response at each address; absent where there is none. */
let network: Map<string, Partial<ProbeResult>>;
let calls: string[];
let clock: FakeClock;
let canaries: Canaries;
beforeEach(() => {
  clock = createFakeClock();
  calls = [];
  network = new Map();
  canaries = new Canaries({
    targets,
    clock,
    wait: async () => undefined,
    async probe({ address }) {
      calls.push(address);
      const result = network.get(address);
      return result && JSON.stringify(result);
    },
  });
});
afterEach(() => canaries.stop());

/** A canary with an address of each family, reached since it was 100 ms old. */
function lives(number: 1 | 2, instance: string, changes: Partial<ProbeResult> = {}): void {
  const addresses = [`10.0.0.${number}`, `fd00::${number}`];
  const reachedSinceMs = { IPv4: 100, IPv6: 100 };
  for (const address of addresses)
    network.set(address, { instance, ageMs: 60_000, addresses, reachedSinceMs, ...changes });
}
const dies = (number: 1 | 2): void => {
  for (const address of [`10.0.0.${number}`, `fd00::${number}`]) network.delete(address);
};
const noted = (number: 1 | 2, instance: string) => ({
  instance,
  ageMs: 60_000,
  endpoints: [endpoint(`10.0.0.${number}`), endpoint(`fd00::${number}`)],
});
async function watch(): Promise<void> {
  canaries.start();
  await clock.advance(1_000);
}

describe("a scan is started beside a canary", () => {
  test("a scan is started beside a canary that was reached a moment ago in each of its families, each in turn", async () => {
    lives(1, FIRST);
    lives(2, SECOND);
    await watch();
    expect(canaries.count).toBe(2);
    const chosen = [canaries.choose(), canaries.choose(), canaries.choose()];
    expect(chosen).toEqual([noted(1, FIRST), noted(2, SECOND), noted(1, FIRST)]);
  });

  test("a scan is started beside a canary that died a while ago no more", async () => {
    lives(1, FIRST);
    await watch();
    dies(1);
    await clock.advance(1_000);
    expect(canaries.choose()).toBeDefined();
    await clock.advance(3_000);
    expect([canaries.choose(), canaries.count]).toEqual([undefined, 0]);
  });

  test("a scan is started beside a canary that is not reached in one of its families not yet", async () => {
    lives(1, FIRST);
    network.delete("fd00::1");
    await watch();
    expect(canaries.choose()).toBeUndefined();
  });

  test("a scan is started beside a canary that no other pod has reached in one of its families not yet", async () => {
    lives(1, FIRST, { reachedSinceMs: { IPv4: 100 } });
    await watch();
    expect(canaries.choose()).toBeUndefined();
  });

  test("a scan is started beside a canary of one family needs no other", async () => {
    lives(1, FIRST, { addresses: ["10.0.0.1"], reachedSinceMs: { IPv4: 100 } });
    network.delete("fd00::1");
    await watch();
    expect(canaries.choose()?.endpoints).toEqual([endpoint("10.0.0.1")]);
  });
});

describe("a canary is attested", () => {
  test("a canary is attested when it is the same process, reached without a gap since before the Job", async () => {
    lives(1, FIRST, { ageMs: 200_000, reachedSinceMs: { IPv4: 100, IPv6: 60_000 } });
    expect(await canaries.attest(noted(1, FIRST))).toEqual({ alive: true });
  });

  test.each<[string, () => void, string]>([
    ["it no longer exists", () => dies(1), "The canary no longer responds."],
    ["another process has replaced it", () => lives(1, SECOND), "The canary was restarted."],
    [
      "no other pod reached it for a while since",
      () => lives(1, FIRST, { ageMs: 200_000, reachedSinceMs: { IPv4: 60_001, IPv6: 100 } }),
      "The canary was temporarily unreachable for other pods.",
    ],
    [
      "no other pod reaches it in one family",
      () => lives(1, FIRST, { reachedSinceMs: { IPv4: 100 } }),
      "The canary was temporarily unreachable for other pods.",
    ],
    [
      "it responds in one family only",
      () => (lives(1, FIRST), network.delete("fd00::1")),
      "The canary no longer responds.",
    ],
  ])("a canary is attested not when %s", async (_, happens, detail) => {
    happens();
    expect(await canaries.attest(noted(1, FIRST))).toEqual({ alive: false, detail });
  });

  test("a canary is attested by a controller that has just started, and knows nothing of it", async () => {
    lives(1, FIRST);
    const attestation = canaries.attest(noted(1, FIRST));
    expect(await attestation).toEqual({ alive: true });
  });

  test("a canary is attested for 2,000 reports at the same time by two probes of each address at most", async () => {
    lives(1, FIRST);
    const all = await Promise.all(Array.from({ length: 2_000 }, () => canaries.attest(noted(1, FIRST))));
    expect(new Set(all.map(({ alive }) => alive))).toEqual(new Set([true]));
    expect(calls.length).toBeLessThanOrEqual(4);
  });
});

test("a probe that began before an attestation was asked for does not count for it", async () => {
  const responses: ((text: string | undefined) => void)[] = [];
  const asking = new Canaries({
    targets: [],
    clock,
    probe: () => new Promise((resolve) => responses.push(resolve)),
  });
  const note = { ...noted(1, FIRST), endpoints: [endpoint("10.0.0.1")] };
  lives(1, FIRST, { addresses: ["10.0.0.1"] });
  const result = JSON.stringify(network.get("10.0.0.1"));
  const early = asking.attest(note);
  const late = asking.attest(note);
  responses[0]!(result);
  expect(await early).toEqual({ alive: true });
  expect(responses).toHaveLength(2);
  responses[1]!(JSON.stringify({ ...JSON.parse(result), instance: SECOND }));
  expect(await late).toMatchObject({ alive: false });
});
