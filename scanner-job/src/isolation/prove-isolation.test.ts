import { type AddressFamily, type IsolationCause, isolationProofSchema } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { proveIsolation, type Reach } from "./prove-isolation.ts";

const canary = { address: "10.0.0.9", port: 8099 };
const canary6 = { address: "fd00::9", port: 8099 };
const order = {
  url: "https://api.example/v1",
  pins: [
    { host: "api.example", addresses: ["192.0.2.1", "2001:db8::1"], ports: [443] },
    { host: "docs.example", addresses: ["192.0.2.7"], ports: [443] },
  ],
  isolation: { canaries: [canary, canary6], controlEndpoints: [], waitSeconds: 10 },
};

const control = { address: "192.0.2.200", port: 8099 };
const control6 = { address: "100::1", port: 8099 };

/** What the n-th observation sees; the last one stays. Time passes by waiting only. */
function world(
  seen: readonly {
    readonly canary: Reach;
    /** As `canary` by default. */
    readonly canary6?: Reach;
    readonly control?: Reach;
    readonly v4?: Reach;
    readonly v6?: Reach;
  }[],
  families: readonly AddressFamily[] = ["IPv4"],
) {
  let clock = 0;
  let attempt = 0;
  const tried: string[] = [];
  const deps = {
    families: () => new Set(families),
    now: () => clock,
    today: () => new Date("2026-11-21T12:00:00Z"),
    wait: async (milliseconds: number) => void ((clock += milliseconds), attempt++),
    reach: async (address: string, port: number): Promise<Reach> => {
      tried.push(`${address} ${port}`);
      const now = seen[Math.min(attempt, seen.length - 1)]!;
      if (address === canary.address) return now.canary;
      if (address === canary6.address) return now.canary6 ?? now.canary;
      if (address === control.address || address === control6.address) return now.control ?? "blocked";
      return (address.includes(":") ? now.v6 : now.v4) ?? "blocked";
    },
  };
  return { deps, tried };
}

describe("the proof of isolation", () => {
  test("the proof of isolation is given at the first observation with the canary blocked and the target connected", async () => {
    const { deps, tried } = world([{ canary: "blocked", v4: "connected" }]);
    const { proof } = await proveIsolation(order, deps);
    expect(proof).toEqual({
      canary,
      canaries: [canary],
      connected: 0,
      attempts: 1,
      provenAt: "2026-11-21T12:00:00.000Z",
      elapsedMs: 0,
    });
    expect(isolationProofSchema.safeParse(proof).success).toBe(true);
    const canaryTwice = ["10.0.0.9 8099", "10.0.0.9 8099"];
    expect(tried).toEqual(["10.0.0.9 8099", "192.0.2.1 443", "2001:db8::1 443", ...canaryTwice]);
  });

  test("the proof of isolation is not given when the canary responds once the target has: the network was not there before", async () => {
    const { deps } = world([{ canary: "blocked", v4: "connected" }]);
    let tries = 0;
    const reach = async (address: string, port: number): Promise<Reach> =>
      address === canary.address ? (tries++ % 2 === 0 ? "blocked" : "connected") : deps.reach(address, port);
    const { failure } = await proveIsolation(order, { ...deps, reach });
    expect(failure?.code).toBe("isolation_not_proven");
  });

  test.each([
    [10, [100, 400]],
    [60, [300, 200]],
    [150, [750]],
    [1_900, [2_000]],
  ])(
    "the proof of isolation of a target that takes %i ms to respond waits %j ms for the canary",
    async (tookMs, expected) => {
      const { deps } = world([{ canary: "blocked", v4: "connected" }]);
      let clock = 0;
      const waited: (number | undefined)[] = [];
      const reach = async (address: string, port: number, timeoutMs?: number): Promise<Reach> => {
        if (address === canary.address) waited.push(timeoutMs);
        else clock = tookMs;
        return deps.reach(address, port);
      };
      const begun: number[] = [];
      const onBlocked = () => void begun.push(waited.length);
      await proveIsolation(order, { ...deps, reach, now: () => clock, onBlocked });
      expect(waited).toEqual([undefined, ...expected]);
      // Requests may be sent after the first of these waits.
      expect(begun).toEqual([2]);
    },
  );

  test("the proof of isolation is not given, and not waited for any longer, when the canary responds after requests may have been sent", async () => {
    const { deps, tried } = world([{ canary: "blocked", v4: "connected" }]);
    let begun = 0;
    const reach = async (address: string, port: number): Promise<Reach> => {
      const seen = await deps.reach(address, port);
      return begun > 0 ? "connected" : seen;
    };
    const { failure } = await proveIsolation(order, { ...deps, reach, onBlocked: () => void begun++ });
    expect(failure!.reason).toBe("CanaryReachable");
    expect(begun).toBe(1);
    expect(tried.filter((address) => address.startsWith("10."))).toHaveLength(3);
  });

  test("lets no request go before it when the canary was reached once", async () => {
    const { deps } = world([
      { canary: "connected", v4: "connected" },
      { canary: "blocked", v4: "connected" },
    ]);
    let begun = 0;
    const { proof } = await proveIsolation(order, { ...deps, onBlocked: () => void begun++ });
    expect(proof).toMatchObject({ connected: 1 });
    expect(begun).toBe(0);
  });

  test("accepts one reachable address of the target as a response", async () => {
    const { deps } = world([{ canary: "blocked", v4: "blocked", v6: "connected" }]);
    expect((await proveIsolation(order, deps)).proof).toBeDefined();
  });

  test("waits for a policy that takes effect late, and reports how often the canary was reached before", async () => {
    const { deps } = world([
      { canary: "connected", v4: "connected" },
      { canary: "connected", v4: "connected" },
      { canary: "blocked", v4: "blocked" },
      { canary: "blocked", v4: "connected" },
    ]);
    const { proof } = await proveIsolation(order, deps);
    // The fourth observation and four more: silence after a connection counts only if it lasts for two seconds.
    expect(proof).toMatchObject({ attempts: 8, connected: 2, elapsedMs: 3_500 });
  });

  test("the proof of isolation is not given for a silence that does not last, once the canary was reached", async () => {
    const flapping = ["connected", "blocked", "blocked", "blocked", "blocked"] as const;
    const seen = Array.from({ length: 30 }, (_, n) => ({
      canary: flapping[n % 5]!,
      v4: "connected" as const,
    }));
    const { failure } = await proveIsolation(order, world(seen).deps);
    expect(failure!.reason).toBe("CanaryReachable");
  });

  test("the proof of isolation that is under way when the time is over is awaited", async () => {
    const early = Array.from({ length: 20 }, () => ({ canary: "connected", v4: "connected" }) as const);
    const { deps } = world([...early, { canary: "blocked", v4: "connected" }]);
    expect((await proveIsolation(order, deps)).proof).toMatchObject({ connected: 20, elapsedMs: 12_000 });
  });

  test("lists each family that the pod has, and needs all of them", async () => {
    const both = ["IPv4", "IPv6"] as const;
    const { deps } = world([{ canary: "blocked", v4: "connected" }], both);
    expect((await proveIsolation(order, deps)).proof).toMatchObject({ canaries: [canary, canary6] });
    const half = world([{ canary: "blocked", canary6: "connected", v4: "connected" }], both);
    const { failure } = await proveIsolation(order, half.deps);
    expect(failure!.reason).toBe("CanaryReachable");
  });

  test("the proof of isolation is not tried in a family that the pod has not, nor given where the canary lacks one that it has", async () => {
    const { deps, tried } = world([{ canary: "blocked", v4: "connected" }], ["IPv6"]);
    expect((await proveIsolation(order, deps)).proof).toMatchObject({ canary: canary6, canaries: [canary6] });
    expect(tried).not.toContain("10.0.0.9 8099");
    const isolation = { ...order.isolation, canaries: [canary] };
    const { failure } = await proveIsolation({ ...order, isolation }, deps);
    expect(failure!.reason).toBe("CanaryFamilyMissing");
  });

  test("tries every endpoint where the pod's families cannot be known", async () => {
    const { deps } = world([{ canary: "blocked", v4: "connected" }], []);
    expect((await proveIsolation(order, deps)).proof).toMatchObject({ canaries: [canary, canary6] });
  });

  test.each<[string, Reach, Reach, string]>([
    ["a canary that accepts, though the target responds", "connected", "connected", "isolation_not_proven"],
    ["a canary that refuses, though the target responds", "refused", "connected", "isolation_not_proven"],
    ["a canary that accepts beside a silent target", "connected", "blocked", "isolation_not_proven"],
    ["an isolated scanner whose target stays silent", "blocked", "blocked", "target_timeout"],
    ["an isolated scanner whose target refuses", "blocked", "refused", "connection_refused"],
  ])("the proof of isolation is not given for %s: %s and %s end as %s", async (_, canary, v4, code) => {
    const { deps } = world([{ canary, v4 }]);
    expect((await proveIsolation(order, deps)).failure).toMatchObject({ code });
  });

  test.each<[Reach, IsolationCause]>([
    ["connected", "CanaryReachable"],
    ["refused", "CanaryRefused"],
  ])("the proof of isolation that fails at a canary that is %s is reported as %s", async (seen, cause) => {
    const { deps } = world([{ canary: seen, v4: "connected" }]);
    expect((await proveIsolation(order, deps)).failure?.reason).toBe(cause);
  });

  test("attributes a refusal at the control address to the network in the same address family only", async () => {
    const isolation = { ...order.isolation, controlEndpoints: [control6] };
    const { deps } = world([{ canary: "refused", control: "refused", v4: "connected" }]);
    expect((await proveIsolation({ ...order, isolation }, deps)).failure?.reason).toBe("CanaryRefused");
    const six = world([{ canary: "refused", control: "refused", v6: "connected" }], ["IPv6"]);
    expect((await proveIsolation({ ...order, isolation }, six.deps)).proof).toBeDefined();
  });

  test.each<[string, Reach, Reach, boolean]>([
    ["also refuses at the control address", "refused", "refused", true],
    ["does not respond at the control address: the canary died", "refused", "blocked", false],
    ["accepts at the control address", "refused", "connected", false],
    ["refuses at the control address, and reaches the canary", "connected", "refused", false],
  ])(
    "the proof of isolation in a network that %s: canary %s, control %s: %s",
    async (_, canary, controlAddress, expected) => {
      const { deps } = world([{ canary, control: controlAddress, v4: "connected" }]);
      const isolation = { ...order.isolation, controlEndpoints: [control] };
      const { proof, failure } = await proveIsolation({ ...order, isolation }, deps);
      expect(proof !== undefined).toBe(expected);
      expect(failure?.code).toBe(expected ? undefined : "isolation_not_proven");
    },
  );

  test("connects to the control address only after a refusal", async () => {
    const { deps, tried } = world([{ canary: "blocked", v4: "connected" }]);
    await proveIsolation({ ...order, isolation: { ...order.isolation, controlEndpoints: [control] } }, deps);
    expect(tried).not.toContain("192.0.2.200 8099");
  });

  test("the proof of isolation is awaited for the time of the order, and no longer", async () => {
    const { deps, tried } = world([{ canary: "connected", v4: "connected" }]);
    const { failure } = await proveIsolation(order, deps);
    expect(tried.filter((address) => address.startsWith("10."))).toHaveLength(21);
    expect(failure!.message).toContain("After 21 attempts it still accepted the connection.");
  });

  test("tries the port of the target's address", async () => {
    const { deps, tried } = world([{ canary: "blocked", v6: "connected" }]);
    const pins = [{ host: "2001:db8::1", addresses: ["2001:db8::1"], ports: [8443] }];
    await proveIsolation({ ...order, url: "https://[2001:db8::1]:8443/", pins }, deps);
    expect(tried).toEqual(["10.0.0.9 8099", "2001:db8::1 8443", "10.0.0.9 8099", "10.0.0.9 8099"]);
  });
});
