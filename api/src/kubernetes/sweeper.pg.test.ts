import { newScanId } from "@glovebox/contract";
import { MAX_SCAN_SECONDS } from "@glovebox/k8s";
import type { KubeClient } from "@glovebox/kube";
import { COMMAND_LINE, type Account, type ScanRow, type Store } from "@glovebox/store";
import { openStoreAt } from "@glovebox/store/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { until } from "../testing/until.ts";
import {
  createKubernetesLauncher,
  installationOf,
  type Installation,
  type KubernetesLauncherDeps,
} from "./scan-launcher.ts";
import { apiKubeClient, scanResources, type ScanResources } from "./scan-resources.ts";
import { createSweeper, type SweepOutcome, type Sweeper, type SweeperDeps } from "./sweeper.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";

const START = new Date("2026-11-21T12:00:00Z").getTime();
let counts: Partial<Record<SweepOutcome | "failed", number>>;
const count = (what: keyof typeof counts, by: number): void => void (counts[what] = (counts[what] ?? 0) + by);
const metrics = { swept: count, failed: () => count("failed", 1) };
const quiet = { info: () => undefined, warn: () => undefined };

let database: TestDatabase;
let store: Store;
let account: Account;
let kube: FakeCluster;
let client: KubeClient;
let resources: ScanResources;
let installation: Installation;
let time: number;
let sweeper: Sweeper;
const now = (): Date => new Date(time);

beforeEach(async () => {
  time = START;
  counts = {};
  database = await testDatabase();
  store = await openStoreAt({ url: database.url }, now);
  account = await store.accounts.declare({ name: "shop", plan: "free" });
  kube = await FakeCluster.start();
  client = apiKubeClient(kube.connection);
  resources = scanResources(client.transport, "scans");
  installation = installationOf(client.transport, "scans");
  sweeper = sweeperOver();
});
afterEach(async () => {
  client.close();
  await kube[Symbol.asyncDispose]();
  await store.close();
  await database.drop();
});

const sweeperOver = (over: Partial<SweeperDeps> = {}): Sweeper =>
  createSweeper({
    ...{ store, resources, installation, logger: quiet, now, metrics, everyMs: 3_600_000 },
    ...over,
  });
const launcherOf = (over: Partial<KubernetesLauncherDeps> = {}) =>
  createKubernetesLauncher({
    ...{ resources, installation, launches: store.launches, logger: quiet },
    ...over,
  });

/** A scan of this installation, or of another one. */
async function submitted(of?: string): Promise<string> {
  const id = newScanId(now());
  const scan = { id, account, url: "https://a.example/" };
  await store.scans.submit({ actor: COMMAND_LINE, ...scan, installation: of ?? (await installation.id()) });
  return id;
}
const pass = (seconds: number): void => void (time += seconds * 1000);
const rowOf = async (id: string): Promise<ScanRow> => (await store.scans.get(account.id, id))!;

describe("a scan whose replica died before its Scan was made", () => {
  test("a scan whose replica died before its Scan was made is launched by the sweep once it is old enough, and never again", async () => {
    const id = await submitted();
    pass(5);
    await sweeper.sweep();
    expect(kube.created).toEqual([]);
    pass(1);
    await sweeper.sweep();
    await sweeper.sweep();
    expect(kube.scans.get(id)?.spec).toEqual({ url: "https://a.example/", account: "shop" });
    expect(kube.requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
  });

  test("a scan whose replica died before its Scan was made is launched once by two replicas that sweep at the same time", async () => {
    await submitted();
    pass(6);
    const other = await openStoreAt({ url: database.url }, now);
    const second = sweeperOver({ store: other });
    await Promise.all([sweeper.sweep(), second.sweep()]);
    expect(kube.created).toHaveLength(1);
    await other.close();
  });

  test("a scan whose replica died before its Scan was made and before that was noted is noted by the sweep", async () => {
    const id = await submitted();
    await resources.create(
      { id, url: "https://a.example/", specUrl: null, context: null, identityNames: null },
      "shop",
    );
    pass(6);
    await sweeper.sweep();
    expect(await store.launches.unlaunched(kube.namespaceUid, 0, 1)).toEqual([]);
    expect(kube.created).toEqual([id]);
  });
});

describe("while the API server is away", () => {
  beforeEach(async () => {
    await installation.id();
    kube.failWith = { status: 503, reason: "ServiceUnavailable" };
  });

  test("it is asked once a sweep for all scans, which stay, and are launched when it is back", async () => {
    const ids = [await submitted(), await submitted(), await submitted()];
    pass(6);
    await sweeper.sweep();
    expect(kube.requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
    expect((await rowOf(ids[0]!)).status).toBe("processing");
    kube.failWith = undefined;
    await sweeper.sweep();
    expect(kube.created.toSorted()).toEqual(ids.toSorted());
  });

  test("while the API server is away, for an hour its scans fail as could_not_start, and are given back to the quota", async () => {
    const ids = [await submitted(), await submitted(), await submitted()];
    pass(3599);
    await sweeper.sweep();
    expect((await rowOf(ids[0]!)).status).toBe("processing");
    pass(1);
    await sweeper.sweep();
    for (const id of ids) expect((await rowOf(id)).failure?.code).toBe("could_not_start");
    await submitted();
    expect(counts).toEqual({ failed: 3 });
  });
});

test("a scan whose resource is refused fails immediately, and the others are launched", async () => {
  const [refused, accepted] = [await submitted(), await submitted()];
  pass(6);
  const create: ScanResources["create"] = (scan, account) => {
    kube.failWith = scan.id === refused ? { status: 422, reason: "Invalid" } : undefined;
    return resources.create(scan, account);
  };
  await sweeperOver({ resources: { ...resources, create } }).sweep();
  expect((await rowOf(refused)).failure?.code).toBe("could_not_start");
  expect(kube.created).toEqual([accepted]);
  expect(counts).toEqual({ launched: 1, failed: 1 });
});

describe("a launched scan", () => {
  async function launched(): Promise<string> {
    const id = await submitted();
    const launcher = launcherOf();
    await launcher.launch(
      { id, url: "https://a.example/", specUrl: null, context: null, identityNames: null },
      "shop",
    );
    await launcher.close();
    return id;
  }

  test("a launched scan whose Scan was deleted while nobody watched ends as cancelled, within two minutes, and is not created again", async () => {
    const id = await launched();
    pass(30);
    await sweeper.sweep();
    kube.scans.delete(id);
    pass(59);
    await sweeper.sweep();
    expect((await rowOf(id)).status).toBe("processing");
    pass(1);
    await sweeper.sweep();
    expect(await rowOf(id)).toMatchObject({
      status: "failed",
      failure: { code: "cancelled", message: "The scan was cancelled. Its Scan resource was deleted." },
    });
    expect(kube.created).toEqual([id]);
    expect(counts).toEqual({ cancelled: 1 });
  });

  test("stays while the resources cannot be listed", async () => {
    const id = await launched();
    kube.scans.delete(id);
    pass(61);
    kube.failWith = { status: 404, reason: "NotFound" };
    await sweeper.sweep();
    expect((await rowOf(id)).status).toBe("processing");
  });

  test("a launched scan is left alone while its resource is there, and looked at once a minute", async () => {
    const id = await launched();
    for (let sweep = 0; sweep < 12; sweep++) {
      pass(10);
      await sweeper.sweep();
    }
    expect(kube.created).toEqual([id]);
    const looks = kube.requests.filter((request) => request.startsWith("GET") && request.includes("scans?"));
    expect(looks).toHaveLength(2);
  });

  test("a launched scan whose Scan was deleted is cancelled, though somebody made another of its name", async () => {
    const id = await launched();
    const { metadata, ...rest } = kube.scans.get(id)!;
    kube.scans.set(id, { ...rest, metadata: { ...metadata, uid: "another" } });
    pass(61);
    await sweeper.sweep();
    expect((await rowOf(id)).failure?.code).toBe("cancelled");
    expect(kube.scans.has(id)).toBe(true);
  });

  test("a launched scan whose launch could not be noted is noted with the next batch", async () => {
    const id = await submitted();
    let isAway = true;
    const launches = {
      note: (...args: Parameters<Store["launches"]["note"]>) =>
        isAway ? Promise.reject(new Error("away")) : store.launches.note(...args),
    };
    const launcher = launcherOf({ launches });
    await launcher.launch(
      { id, url: "https://a.example/", specUrl: null, context: null, identityNames: null },
      "shop",
    );
    await launcher.flush();
    isAway = false;
    await launcher.close();
    const { uid, namespace } = kube.scans.get(id)!.metadata;
    const launched = await store.launches.launched(kube.namespaceUid, -1);
    expect(launched).toEqual([{ id, uid, namespace }]);
  });
});

describe("of two installations that share the database", () => {
  let other: FakeCluster;
  let otherClient: KubeClient;
  let theirs: Sweeper;
  beforeEach(async () => {
    other = await FakeCluster.start();
    otherClient = apiKubeClient(other.connection);
    theirs = sweeperOver({
      resources: scanResources(otherClient.transport, "scans"),
      installation: installationOf(otherClient.transport, "scans"),
    });
  });
  afterEach(async () => {
    otherClient.close();
    await other[Symbol.asyncDispose]();
  });

  test("neither cancels what the other has launched", async () => {
    const launcher = launcherOf();
    const id = await submitted();
    await launcher.launch(
      { id, url: "https://a.example/", specUrl: null, context: null, identityNames: null },
      "shop",
    );
    await launcher.close();
    for (let minute = 0; minute < 3; minute++) {
      pass(61);
      await Promise.all([sweeper.sweep(), theirs.sweep()]);
    }
    expect((await rowOf(id)).status).toBe("processing");
    expect(counts).toEqual({});
  });

  test("neither launches what the other has accepted", async () => {
    const [mine, others] = [await submitted(), await submitted(other.namespaceUid)];
    pass(6);
    await theirs.sweep();
    await sweeper.sweep();
    expect([kube.created, other.created]).toEqual([[mine], [others]]);
  });

  test("one that no longer exists leaves no scan processing forever, and its scans are given back to the quota", async () => {
    const ids = [await submitted("gone"), await submitted("gone"), await submitted("gone")];
    pass(MAX_SCAN_SECONDS);
    await sweeper.sweep();
    for (const id of ids) expect((await rowOf(id)).status).toBe("processing");
    pass(61);
    await sweeper.sweep();
    const message =
      "The scan did not end within its deadline. The installation that runs it was removed, or is not running.";
    for (const id of ids) expect((await rowOf(id)).failure).toEqual({ code: "deadline_exceeded", message });
    expect(kube.created).toEqual([]);
    await submitted();
  });
});

describe("the identity of an installation", () => {
  test("the identity of an installation is read once, and is the uid of its namespace", async () => {
    expect(await installation.id()).toBe(kube.namespaceUid);
    expect(await installation.id()).toBe(kube.namespaceUid);
    expect(kube.requests).toHaveLength(1);
  });

  test("the identity of an installation is another once the namespace was created again", async () => {
    await installation.id();
    const before = kube.namespaceUid;
    kube.renewNamespace();
    await sweeper.sweep();
    expect(await installation.id()).toBe(kube.namespaceUid);
    expect(kube.namespaceUid).not.toBe(before);
  });

  test("the identity of an installation that could not be read yet is reported as unavailable, and read once it can be", async () => {
    kube.failWith = "drop";
    await expect(installation.id()).rejects.toMatchObject({ code: "unavailable" });
    kube.failWith = undefined;
    expect(await installation.id()).toBe(kube.namespaceUid);
  });
});

test("a sweeper that was started sweeps immediately, and again after a sweep that failed", async () => {
  await submitted();
  pass(6);
  let sweeps = 0;
  const withLock: Store["withLock"] = (name, task) =>
    ++sweeps === 1 ? Promise.reject(new Error("away")) : store.withLock(name, task);
  const started = sweeperOver({ store: { ...store, withLock }, everyMs: 20 });
  started.start();
  await until(() => kube.created.length === 1);
  await started.stop();
  expect(counts).toEqual({ failed: 1, launched: 1 });
});
