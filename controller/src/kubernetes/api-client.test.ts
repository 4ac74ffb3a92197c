import {
  isAlreadyExists,
  isConflict,
  isRetryable,
  type KubeClient,
  eventSink,
  type Fence,
  FenceLostError,
  leaseClient,
} from "@glovebox/kube";
import { FakeKubeApiserver, type FakeObject, refuse, type SeenRequest } from "@glovebox/kube/testing";
import type { V1Job } from "@kubernetes/client-node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKubeApi } from "./api-client.ts";

let server: FakeKubeApiserver;
let client: KubeClient;
beforeEach(async () => {
  server = await FakeKubeApiserver.start();
  client = server.client();
});
afterEach(async () => {
  client.close();
  await server[Symbol.asyncDispose]();
});

const lastRequest = (): SeenRequest => server.requests.at(-1)!;
const job: V1Job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "a", labels: { team: "one" } },
  spec: { template: { spec: { containers: [], restartPolicy: "Never" } } },
};

describe("objects of a built-in kind", () => {
  test("objects of a built-in kind are created strictly, and read as they are on the wire", async () => {
    const { jobs } = createKubeApi(client.transport);
    await jobs.create("scans", job);
    expect(lastRequest()).toMatchObject({ method: "POST", path: "/apis/batch/v1/namespaces/scans/jobs" });
    expect(lastRequest().query.get("fieldValidation")).toBe("Strict");
    const read = await jobs.get({ namespace: "scans", name: "a" });
    expect(read?.metadata).toMatchObject({ name: "a", creationTimestamp: "2026-03-01T00:00:00Z" });
  });

  test("objects of a built-in kind that exist cannot be created again, and the error says so", async () => {
    const { jobs } = createKubeApi(client.transport);
    await jobs.create("scans", job);
    const error: unknown = await jobs.create("scans", job).catch((failure: unknown) => failure);
    expect(isAlreadyExists(error)).toBe(true);
    expect(error).toMatchObject({ message: "POST /apis/batch/v1/namespaces/scans/jobs: 409 AlreadyExists" });
  });

  test("objects of a built-in kind that are missing read as undefined and count as deleted", async () => {
    const { jobs } = createKubeApi(client.transport);
    await expect(jobs.get({ namespace: "scans", name: "none" })).resolves.toBeUndefined();
    await expect(jobs.delete({ namespace: "scans", name: "none" })).resolves.toBeUndefined();
  });

  test("objects of a built-in kind are deleted in the background, and by uid only as that very object", async () => {
    const { jobs } = createKubeApi(client.transport);
    await jobs.create("scans", job);
    const { uid } = (await jobs.get({ namespace: "scans", name: "a" }))!.metadata!;
    const wrong = jobs.delete({ namespace: "scans", name: "a", uid: "another" });
    expect(isConflict(await wrong.catch((error: unknown) => error))).toBe(true);
    await jobs.delete({ namespace: "scans", name: "a", uid: uid! });
    expect(lastRequest().body).toEqual({ propagationPolicy: "Background", preconditions: { uid } });
    expect(server.collection("/apis/batch/v1/namespaces/scans/jobs").objects.size).toBe(0);
  });

  test("reach the server with every field that they have, also with those that the library does not know", async () => {
    const { networkPolicies } = createKubeApi(client.transport);
    const spec = {
      podSelector: {},
      ingress: [{ from: [{ ipBlock: { cidr: "192.0.2.1/32" } }] }],
      misspelt: true,
    };
    await networkPolicies.create("scans", { metadata: { name: "p" }, spec });
    expect(lastRequest().body).toEqual({ metadata: { name: "p" }, spec });
    const read = await networkPolicies.get({ namespace: "scans", name: "p" });
    expect(read?.spec).toEqual(spec);
  });

  test("objects of a built-in kind that cannot be had now fail with a retryable error that says when to try again", async () => {
    const act: Parameters<typeof server.fail>[0]["act"] = (response) =>
      refuse(response, 429, "TooManyRequests", { "retry-after": "3" });
    server.fail({ times: 2, matches: () => true, act });
    const { jobs } = createKubeApi(client.transport);
    const calls = [() => jobs.create("scans", job), () => jobs.get({ namespace: "scans", name: "a" })];
    for (const call of calls) {
      const error: unknown = await call().catch((reason: unknown) => reason);
      expect(isRetryable(error)).toBe(true);
      expect(error).toMatchObject({ retryAfterMs: 3000 });
    }
  });
});

describe("custom objects", () => {
  const SCANS = { group: "glovebox.dev", version: "v1alpha1", plural: "scans" };
  const scan = { namespace: "scans", name: "s" };
  const make = async () => {
    const scans = createKubeApi(client.transport).objectsOf<FakeObject>(SCANS);
    const metadata = { name: "s" } as FakeObject["metadata"];
    await scans.create("scans", { apiVersion: "glovebox.dev/v1alpha1", kind: "Scan", metadata });
    return { scans, version: (await scans.get(scan))!.metadata.resourceVersion };
  };

  test("custom objects have their status merged, and nothing else is sent", async () => {
    const { scans, version } = await make();
    const patched = await scans.patchStatus(scan, { phase: "Running" }, version);
    expect(patched["status"]).toEqual({ phase: "Running" });
    expect(lastRequest()).toMatchObject({
      method: "PATCH",
      path: "/apis/glovebox.dev/v1alpha1/namespaces/scans/scans/s/status",
      body: { status: { phase: "Running" }, metadata: { resourceVersion: version } },
    });
    expect(lastRequest().headers["content-type"]).toBe("application/merge-patch+json");
  });

  test("custom objects that changed since they were read are left alone", async () => {
    const { scans, version } = await make();
    await scans.patchStatus(scan, { phase: "Running" });
    const late: unknown = await scans
      .patchStatus(scan, { phase: "Failed" }, version)
      .catch((e: unknown) => e);
    expect(isConflict(late)).toBe(true);
  });
});

describe("calls behind a fence", () => {
  const fence = (): Fence & { lose(): void } => {
    const term = new AbortController();
    const assertHeld = (): void => {
      if (term.signal.aborted) throw new FenceLostError();
    };
    return { signal: term.signal, assertHeld, lose: () => term.abort(new FenceLostError()) };
  };

  test("calls behind a fence are not sent once it is lost", async () => {
    const held = fence();
    const { jobs, objectsOf } = createKubeApi(client.transport, held);
    await jobs.create("scans", job);
    held.lose();
    const scans = objectsOf({ group: "g", version: "v1", plural: "scans" });
    const target = { namespace: "scans", name: "a" };
    await expect(jobs.create("scans", job)).rejects.toThrow(FenceLostError);
    await expect(jobs.delete(target)).rejects.toThrow(FenceLostError);
    await expect(scans.patchStatus(target, {})).rejects.toThrow(FenceLostError);
    await expect(jobs.get(target)).rejects.toThrow(FenceLostError);
    expect(server.requests).toHaveLength(1);
  });

  test("calls behind a fence that are under way when it is lost are cut off", async () => {
    const held = fence();
    const cut = Promise.withResolvers<void>();
    const act: Parameters<typeof server.fail>[0]["act"] = (response) => {
      response.on("close", () => cut.resolve());
      held.lose();
    };
    server.fail({ times: 1, matches: () => true, act });
    await expect(createKubeApi(client.transport, held).jobs.create("scans", job)).rejects.toThrow(
      FenceLostError,
    );
    await cut.promise;
  });

  test("cut a log off that is on its way", async () => {
    const held = fence();
    const begun = Promise.withResolvers<void>();
    const path = "/api/v1/namespaces/scans/pods/p/log";
    server.logs.set(path, (response) => {
      response.write("the first of many lines\n");
      begun.resolve();
    });
    const log = { namespace: "scans", name: "p", container: "scanner", limitBytes: 4 * 1024 * 1024 };
    const read = createKubeApi(client.transport, held).podLogs.read(log);
    await begun.promise;
    held.lose();
    await expect(read).rejects.toThrow();
  });
});

describe("leases", () => {
  const record = {
    holder: "a",
    durationSeconds: 15,
    acquireTime: new Date("2026-03-01T00:00:00.123Z"),
    renewTime: new Date("2026-03-01T00:00:01.456Z"),
    transitions: 2,
  };

  test("leases are read as they were written, in the times of the API", async () => {
    const leases = leaseClient(client.transport, { namespace: "scans", name: "controller" });
    await expect(leases.read()).resolves.toBeUndefined();
    const created = await leases.create(record);
    expect(lastRequest().body).toMatchObject({ spec: { renewTime: "2026-03-01T00:00:01.456000Z" } });
    expect(created.record).toEqual(record);
    await expect(leases.read()).resolves.toEqual(created);
  });

  test("leases are replaced only as they were read, and hold no empty holder", async () => {
    const leases = leaseClient(client.transport, { namespace: "scans", name: "controller" });
    const { version } = await leases.create(record);
    const freed = await leases.replace({ ...record, holder: "" }, version);
    expect(lastRequest().body).not.toHaveProperty("spec.holderIdentity");
    expect(freed.record.holder).toBe("");
    const late: unknown = await leases.replace(record, version).catch((error: unknown) => error);
    expect(isConflict(late)).toBe(true);
  });
});

test("events are written as events.k8s.io/v1, and their count as a series", async () => {
  const sink = eventSink(client.transport, "pod-1");
  const at = new Date("2026-03-01T00:00:00.5Z");
  const name = { namespace: "scans", name: "s.1" };
  const regarding = {
    apiVersion: "glovebox.dev/v1alpha1",
    kind: "Scan",
    namespace: "scans",
    name: "s",
    uid: "u",
  };
  const event = {
    regarding,
    type: "Normal",
    reason: "Sealed",
    action: "Seal",
    note: "n".repeat(2000),
  } as const;
  await sink.create(name, event, at);
  expect(lastRequest()).toMatchObject({
    path: "/apis/events.k8s.io/v1/namespaces/scans/events",
    body: {
      metadata: name,
      eventTime: "2026-03-01T00:00:00.500000Z",
      reportingController: "glovebox.dev/controller",
      reportingInstance: "pod-1",
      regarding,
      note: "n".repeat(1024),
    },
  });
  await sink.updateSeries(name, { count: 3, lastObservedTime: at });
  expect(lastRequest().headers["content-type"]).toBe("application/merge-patch+json");
  expect(lastRequest().body).toEqual({
    series: { count: 3, lastObservedTime: "2026-03-01T00:00:00.500000Z" },
  });
});
