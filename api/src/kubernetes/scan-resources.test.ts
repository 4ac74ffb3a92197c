import { identitiesFileSchema, type Identity } from "@glovebox/contract";
import { API_NAME, LABELS, type ScanResource } from "@glovebox/k8s";
import { KubeError, type KubeClient } from "@glovebox/kube";
import { refuse } from "@glovebox/kube/testing";
import { load } from "js-yaml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { apiKubeClient, isRefusal, scanResources, type ScanResources } from "./scan-resources.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";

const SCAN = {
  id: "scan-00000000000000000000000001",
  url: "https://api.example/v1",
  specUrl: null,
  context: null,
  identityNames: null,
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
  test("a Scan resource is named by the scan's id and says what to scan and who pays", async () => {
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

describe("the Secret of a scan's identities", () => {
  const IDENTITIES: Identity[] = [
    { name: "alice", role: "user", headers: { Authorization: "Bearer s3cret-0f-Alice" } },
  ];
  const EXPECTATIONS = [{ role: "user" as const, deny: ["/admin/**"] }];
  const NAME = `${SCAN.id}-identities`;
  const CREATE_SECRET = "POST /api/v1/namespaces/scans/secrets";
  const SIGNED_IN = { ...SCAN, identityNames: ["alice"] };
  beforeEach(() => {
    const file = { identities: IDENTITIES, expectations: EXPECTATIONS };
    resources = scanResources(client.transport, "scans", { identities: { ofScan: async () => file } });
  });

  test("the Secret of a scan's identities is named by the Scan, which owns it, and holds them under one key, for good", async () => {
    const { uid } = await resources.create(SIGNED_IN, "shop");
    expect(kube.scans.get(SCAN.id)?.spec).toEqual({
      ...{ url: SCAN.url, account: "shop" },
      identitiesSecretRef: { name: NAME },
    });
    expect([...kube.secrets.keys()]).toEqual([NAME]);
    const { stringData, ...secret } = kube.secrets.get(NAME) as { stringData: Record<string, string> };
    expect(secret).toMatchObject({
      type: "Opaque",
      immutable: true,
      metadata: {
        labels: { "app.kubernetes.io/managed-by": "glovebox-api", "glovebox.dev/scan": SCAN.id },
        ownerReferences: [
          {
            apiVersion: "glovebox.dev/v1alpha1",
            kind: "Scan",
            name: SCAN.id,
            uid,
            blockOwnerDeletion: false,
          },
        ],
      },
    });
    expect(Object.keys(stringData)).toEqual(["identities.yaml"]);
    expect(identitiesFileSchema.parse(load(stringData["identities.yaml"]!))).toEqual({
      identities: IDENTITIES,
      expectations: EXPECTATIONS,
    });
  });

  test("the Secret of a scan's identities is created after the Scan, and neither is created twice", async () => {
    const made = await resources.create(SIGNED_IN, "shop");
    expect(await resources.create(SIGNED_IN, "shop")).toEqual(made);
    expect(kube.requests.filter((request) => request.startsWith("POST")).slice(0, 2)).toEqual([
      CREATE,
      CREATE_SECRET,
    ]);
    expect([kube.created, kube.secrets.size]).toEqual([[SCAN.id], 1]);
  });

  test("the Secret of a scan's identities is created by the next try, where the API ended or failed after the Scan was created", async () => {
    kube.server.fail({
      times: 1,
      matches: ({ path }) => path.endsWith("/secrets"),
      act: (response) => refuse(response, 503, "ServiceUnavailable"),
    });
    const failure = await failureOf(resources.create(SIGNED_IN, "shop"));
    expect(failure.message).toBe(`${CREATE_SECRET}: 503 ServiceUnavailable`);
    expect([kube.scans.size, kube.secrets.size]).toEqual([1, 0]);
    const { uid } = await resources.create(SIGNED_IN, "shop");
    expect(kube.created).toEqual([SCAN.id]);
    expect(kube.secrets.get(NAME)?.metadata?.ownerReferences?.[0]?.uid).toBe(uid);
  });

  test("the Secret of a scan's identities is not created for a scan without identities, or where they cannot be read", async () => {
    await resources.create({ ...SCAN, id: "scan-00000000000000000000000002" }, "shop");
    const unreadable = scanResources(client.transport, "scans", {
      identities: { ofScan: () => Promise.reject(new Error("There is no key.")) },
    });
    await expect(unreadable.create(SIGNED_IN, "shop")).rejects.toThrow("There is no key.");
    expect([kube.secrets.size, kube.scans.has(SCAN.id)]).toEqual([0, false]);
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
  ])(
    "a resource of somebody else's that has the scan's name, %s, is not taken for the scan's: a refusal",
    async (_, over) => {
      kube.scans.set(SCAN.id, other(over));
      expect(isRefusal(await failureOf(resources.create(SCAN, "shop")))).toBe(true);
    },
  );

  test("a resource of somebody else's that the API made for this scan before is the scan's", async () => {
    const made = await resources.create(SCAN, "shop");
    expect(await resources.create(SCAN, "shop")).toEqual(made);
    expect(made).toEqual({ id: SCAN.id, uid: kube.scans.get(SCAN.id)!.metadata.uid, namespace: "scans" });
  });

  test("a resource of somebody else's that has the scan's name is not deleted with it", async () => {
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
  const several = scanResources(client.transport, "scans", { others: ["team-gone"] });
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

  test("what the API server does not do without a response the failure says so and nothing of the address", async () => {
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
