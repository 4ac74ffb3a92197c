import { API_NAME, LABELS, type ScanResource } from "@glovebox/k8s";
import { KubeError, type KubeClient } from "@glovebox/kube";
import { refuse } from "@glovebox/kube/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apiKubeClient, isRefusal, scanResources, type ScanResources } from "./scan-resources.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";

const SCAN = {
  id: "scan-00000000000000000000000001",
  url: "https://api.example/v1",
  specUrl: null,
  context: null,
};

const CREATE = "POST /apis/glovebox.dev/v1alpha1/namespaces/scans/scans";

let kube: FakeCluster;
let client: KubeClient;
let resources: ScanResources;

beforeEach(async () => {
  kube = await FakeCluster.start();
  client = apiKubeClient(kube.connection);
  resources = scanResources(client.transport, "scans");
});
afterEach(async () => {
  client.close();
  await kube[Symbol.asyncDispose]();
});

describe("a Scan resource", () => {
  test("is named by the scan's id and says what to scan and who pays", async () => {
    await resources.create({ ...SCAN, specUrl: "https://api.example/spec", context: "medical" }, "shop");
    expect(kube.scans.get(SCAN.id)).toMatchObject({
      apiVersion: "glovebox.dev/v1alpha1",
      kind: "Scan",
      metadata: { name: SCAN.id, labels: { "app.kubernetes.io/managed-by": "glovebox-api" } },
      spec: { url: SCAN.url, specUrl: "https://api.example/spec", context: "medical", account: "shop" },
    });
  });

  test("leaves out what was not asked for", async () => {
    await resources.create(SCAN, "shop");
    expect(kube.scans.get(SCAN.id)?.spec).toEqual({ url: SCAN.url, account: "shop" });
  });

  test("created twice is created once", async () => {
    await resources.create(SCAN, "shop");
    await resources.create(SCAN, "shop");
    expect(kube.created).toEqual([SCAN.id]);
  });

  test("deleted twice no longer exists", async () => {
    await resources.create(SCAN, "shop");
    await resources.remove(SCAN.id);
    await resources.remove(SCAN.id);
    expect(kube.scans.size).toBe(0);
  });
});

test("the conditions of a scan are from its own resource, and from no other of its name", async () => {
  const { uid } = await resources.create(SCAN, "shop");
  const conditions = (resourceUid: string | null) => resources.conditions({ id: SCAN.id, resourceUid });
  expect(await conditions(uid)).toEqual([]);
  const condition = {
    ...{ type: "Sealed", status: "True", reason: "PolicyInPlace", message: "In place." },
    lastTransitionTime: "2026-11-23T00:00:00Z",
  } as const;
  kube.scans.set(SCAN.id, { ...kube.scans.get(SCAN.id)!, status: { conditions: [condition] } as never });
  expect(await conditions(uid)).toEqual([condition]);
  expect(await conditions(null)).toEqual([condition]);
  expect(await conditions("another")).toEqual([]);
  expect(await resources.conditions({ id: "scan-unknown", resourceUid: null })).toEqual([]);
});

describe("a resource of somebody else's", () => {
  const other = (over: Partial<ScanResource>): ScanResource => ({ ...resource(SCAN.id), ...over });
  const spec = { url: SCAN.url, account: "shop" };
  const labelled = { ...resource(SCAN.id).metadata, labels: { [LABELS.managedBy]: API_NAME } };

  test.each<[string, Partial<ScanResource>]>([
    ["of another address", { metadata: labelled, spec: { ...spec, url: "https://other.example/" } }],
    ["of another account", { metadata: labelled, spec: { ...spec, account: "other" } }],
    ["of no account", { metadata: labelled, spec: { url: SCAN.url } }],
    ["without the API's label", { spec }],
  ])("that has the scan's name, %s, is not taken for the scan's: a refusal", async (_, over) => {
    kube.scans.set(SCAN.id, other(over));
    expect(isRefusal(await failureOf(resources.create(SCAN, "shop")))).toBe(true);
  });

  test("that the API made for this scan before is the scan's", async () => {
    const made = await resources.create(SCAN, "shop");
    expect(await resources.create(SCAN, "shop")).toEqual(made);
    expect(made).toEqual({ id: SCAN.id, uid: kube.scans.get(SCAN.id)!.metadata.uid, namespace: "scans" });
  });

  test("that has the scan's name is not deleted with it", async () => {
    kube.scans.set(SCAN.id, other({ spec }));
    await resources.remove(SCAN.id);
    expect(kube.scans.has(SCAN.id)).toBe(true);
  });
});

test("the uids of all Scans are read page by page, however they were made", async () => {
  const names = Array.from({ length: 1201 }, (_, index) => `scan-${String(index).padStart(26, "0")}`);
  for (const name of [...names, "nightly"]) kube.scans.set(name, resource(name));
  expect(await resources.present()).toEqual({
    uids: new Set([...names, "nightly"].map((name) => `uid-${name}`)),
    namespaces: new Set(["scans"]),
    unlisted: [],
  });
  expect(kube.requests).toHaveLength(3);
});

test("the Scans of other namespaces are also seen, and a namespace that cannot be read is named", async () => {
  kube.scans.set("nightly", resource("nightly"));
  kube.server.fail({
    times: 1,
    matches: ({ path }) => path.includes("team-gone"),
    act: (response) => refuse(response, 403, "Forbidden"),
  });
  const several = scanResources(client.transport, "scans", ["team-gone"]);
  expect(await several.present()).toEqual({
    uids: new Set(["uid-nightly"]),
    namespaces: new Set(["scans"]),
    unlisted: ["team-gone"],
  });
});

describe("what the API server does not do", () => {
  test.each([
    [409, "Conflict"],
    [404, "NotFound"],
    [403, "Forbidden"],
    [500, "InternalError"],
    [503, "ServiceUnavailable"],
  ])("%i %s is a failure of its creation, and no refusal", async (status, reason) => {
    kube.failWith = { status, reason };
    const failure = await failureOf(resources.create(SCAN, "shop"));
    expect(failure.message).toBe(`${CREATE}: ${status} ${reason}`);
    expect(isRefusal(failure)).toBe(false);
  });

  test("422 Invalid is a refusal", async () => {
    kube.failWith = { status: 422, reason: "Invalid" };
    expect(isRefusal(await failureOf(resources.create(SCAN, "shop")))).toBe(true);
  });

  test("a reason that is not a word is not repeated", async () => {
    kube.failWith = { status: 500, reason: "token abc of https://10.0.0.1" };
    expect((await failureOf(resources.create(SCAN, "shop"))).message).toBe(`${CREATE}: 500`);
  });

  test("without a response the failure says so and nothing of the address", async () => {
    kube.failWith = "drop";
    const { message, code } = await failureOf(resources.create(SCAN, "shop"));
    expect([message, code]).toEqual([`${CREATE}: no response`, undefined]);
  });
});

test("a Scan is created over a kept connection, which is replaced once when the server has closed it meanwhile", async () => {
  await resources.create(SCAN, "shop");
  expect(kube.server.connections).toBe(1);
  await resources.remove(SCAN.id);
  expect(kube.server.connections).toBe(1);
  kube.dropNext();
  await resources.create(SCAN, "shop");
  expect([kube.server.connections, kube.scans.has(SCAN.id)]).toEqual([2, true]);
});

async function failureOf(call: Promise<unknown>): Promise<KubeError> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(KubeError);
  return failure as KubeError;
}

const resource = (name: string): ScanResource => ({
  apiVersion: "glovebox.dev/v1alpha1",
  kind: "Scan",
  metadata: {
    name,
    namespace: "scans",
    uid: `uid-${name}`,
    generation: 1,
    creationTimestamp: "2026-11-21T12:00:00Z",
  },
  spec: { url: "https://api.example/v1" },
});
