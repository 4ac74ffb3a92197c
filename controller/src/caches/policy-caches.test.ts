import { KubeError } from "@glovebox/kube";
import { createFakeClock } from "@glovebox/kube/testing";
import { afterEach, describe, expect, test } from "vitest";
import { PoliciesUnread, PolicyCaches, type PolicyWatch } from "./policy-caches.ts";
import type { DiscoveredKinds, PolicyKind } from "./policy-discovery.ts";

const kind = (plural: string, version = "v1"): PolicyKind => ({
  resource: { group: "cilium.io", version, plural },
  namespace: "scans",
});
const PERIOD_MS = 1000;

/** A cluster whose kinds of policies change, and the watches that were made of them. */
function setUp(first: Partial<DiscoveredKinds> = {}) {
  const cluster: { found: Partial<DiscoveredKinds>; failure?: Error; hangs?: Promise<void> } = {
    found: first,
  };
  const watches = new Map<string, PolicyWatch & { isCurrent: boolean; state: string }>();
  const told: string[] = [];
  const clock = createFakeClock();
  const caches = new PolicyCaches({
    clock,
    periodMs: PERIOD_MS,
    async discover() {
      if (cluster.failure) throw cluster.failure;
      await cluster.hangs;
      return { kinds: [], unreadable: [], unavailable: [], ...cluster.found };
    },
    watch({ resource: { plural, version } }) {
      const watch = {
        objects: { list: () => [plural] },
        isCurrent: true,
        status: { lastEventAgeMs: 5 },
        state: "made",
        start: () => void (watch.state = "started"),
        stop: async () => void (watch.state = "stopped"),
      };
      watches.set(`${plural} ${version}`, watch);
      return watch;
    },
    onKindRemoved: () => told.push("gone"),
    onUnreadable: (resource) => told.push(`unreadable ${resource}`),
    onFailure: (resource, error) => told.push(`${resource}: ${(error as Error).message}`),
  });
  return { caches, cluster, watches, told, clock };
}

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());
async function started(first?: Partial<DiscoveredKinds>) {
  const parts = setUp(first);
  parts.caches.start();
  await parts.caches.refresh();
  stop = () => parts.caches.stop();
  return { ...parts, period: () => parts.clock.advance(PERIOD_MS) };
}

describe("policies of a network plugin", () => {
  test("policies of a network plugin that is there at the start are watched", async () => {
    const { caches, watches } = await started({ kinds: [kind("a")] });
    expect(watches.get("a v1")?.state).toBe("started");
    expect(caches.list()).toEqual(["a"]);
    expect(caches.lastEventAgesMs()).toEqual({ "a.cilium.io": 5 });
  });

  test("policies of a network plugin that is installed later are watched within a period", async () => {
    const { caches, cluster, period } = await started();
    cluster.found = { kinds: [kind("a")] };
    await period();
    expect(caches.list()).toEqual(["a"]);
  });

  test("policies of a network plugin that is removed are watched no more, and whoever waits for that is told", async () => {
    const { caches, cluster, watches, told, period } = await started({ kinds: [kind("a"), kind("b")] });
    cluster.found = { kinds: [kind("b")] };
    await period();
    expect(caches.list()).toEqual(["b"]);
    expect([watches.get("a v1")?.state, watches.get("b v1")?.state]).toEqual(["stopped", "started"]);
    expect(told).toEqual(["gone"]);
  });

  test("policies of a network plugin are watched in the version that the cluster comes to prefer", async () => {
    const { caches, cluster, watches, period } = await started({ kinds: [kind("a")] });
    cluster.found = { kinds: [kind("a", "v2")] };
    await period();
    expect(caches.list()).toEqual(["a"]);
    expect([watches.get("a v1")?.state, watches.get("a v2")?.state]).toEqual(["stopped", "started"]);
  });

  test("policies of a network plugin that may not be read are named once", async () => {
    const { told, period } = await started({ unreadable: ["a.cilium.io"] });
    await period();
    expect(told).toEqual(["unreadable a.cilium.io"]);
  });
});

describe("an API of policies without a backend", () => {
  const error = new KubeError("GET /apis/cilium.io/v1", { code: 503 });
  const away = { kinds: [], unavailable: [{ api: "cilium.io", error }] };

  test("lets no scan start, is named, and is discovered again", async () => {
    const { caches, cluster, told, period } = await started(away);
    await expect(caches.assertRead()).rejects.toThrow(new PoliciesUnread("GET /apis/cilium.io/v1: 503"));
    expect([caches.unread(), told]).toEqual([["cilium.io"], ["cilium.io: GET /apis/cilium.io/v1: 503"]]);
    cluster.found = { kinds: [kind("a")] };
    await period();
    await expect(caches.assertRead()).resolves.toBeUndefined();
    expect(caches.unread()).toEqual([]);
  });

  test("keeps its policies that were read before, and not the policies of a group with a similar name", async () => {
    const { resource, ...similar } = kind("b");
    const other = { ...similar, resource: { ...resource, group: "crd.cilium.io" } };
    const { caches, cluster, told, period } = await started({ kinds: [kind("a"), other] });
    cluster.found = away;
    await period();
    expect(caches.list()).toEqual(["a"]);
    expect(told).toEqual(["cilium.io: GET /apis/cilium.io/v1: 503", "gone"]);
  });
});

describe("before a scan starts", () => {
  test("all is well while the cluster was asked lately and everything was listed", async () => {
    const { caches } = await started({ kinds: [kind("a")] });
    await expect(caches.assertRead()).resolves.toBeUndefined();
  });

  test("policies that were not listed yet, or whose watch is broken, are waited for", async () => {
    const { caches, watches } = await started({ kinds: [kind("a")] });
    watches.get("a v1")!.isCurrent = false;
    await expect(caches.assertRead()).rejects.toBeInstanceOf(PoliciesUnread);
  });

  test("a cluster that could not be asked for long is asked again, and its silence is an error", async () => {
    const { caches, cluster, told, period } = await started();
    cluster.failure = new KubeError("GET /apis", { code: 503 });
    for (const _ of [1, 2, 3]) await period();
    expect(told).toEqual(Array.from({ length: 3 }, () => "kinds of policies: GET /apis: 503"));
    expect(caches.unread()).toEqual(["kinds of policies"]);
    await expect(caches.assertRead()).rejects.toThrow(new PoliciesUnread("GET /apis: 503"));
    delete cluster.failure;
    await expect(caches.assertRead()).resolves.toBeUndefined();
    expect(caches.unread()).toEqual([]);
  });

  test("a discovery that hangs is waited for two seconds, by all scans together", async () => {
    const { caches, cluster, clock } = setUp();
    const backend = Promise.withResolvers<void>();
    cluster.hangs = backend.promise;
    caches.start();
    const told: string[] = [];
    const ask = (): Promise<void> =>
      caches.assertRead().catch((error: Error) => void told.push(error.message));
    const first = ask();
    await clock.advance(1999);
    const second = ask();
    expect(told).toEqual([]);
    await clock.advance(1);
    await Promise.all([first, second]);
    expect(told).toEqual(Array.from({ length: 2 }, () => "the kinds of policies are not discovered yet"));
    backend.resolve();
    await caches.stop();
  });
});
