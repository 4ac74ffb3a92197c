import { scanFailure } from "@glovebox/contract";
import { API_NAME, LABELS, scanIdOf, type ScanResource, type ScanStatus } from "@glovebox/k8s";
import type { ScanRow } from "@glovebox/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PoliciesUnread } from "../caches/policy-caches.ts";
import { FenceLostError } from "@glovebox/kube";
import { performCommand } from "./commands.ts";
import { runQuery } from "./queries.ts";
import { processingRow } from "./testing/fake-store.ts";
import { FAILED } from "./testing/plans.ts";
import { reconciling } from "./testing/reconciling.ts";
import { canary, report, SCAN_ID, scanResource, settings, world } from "./testing/worlds.ts";

const NAME = "shop";
let stage: Awaited<ReturnType<typeof reconciling>>;
beforeEach(async () => {
  stage = await reconciling();
});
afterEach(() => stage[Symbol.asyncDispose]());

/** A Scan applied by hand. */
function applied(spec: Partial<ScanResource["spec"]> = { account: "shop" }): ScanResource {
  const { metadata, ...scan } = scanResource();
  const body = {
    ...scan,
    spec: { url: "https://API.shop.example", ...spec },
    metadata: { ...metadata, name: NAME },
  };
  return stage.scans.create(body as never) as unknown as ScanResource;
}
const status = (name = NAME): ScanStatus => stage.scans.get(name)["status"] ?? {};
const COMPLETED = { status: "completed", score: 100, grade: "B" } as const;
const isComplete = { conditions: [{ type: "Complete", status: "True" }] };

describe("a Scan applied by hand", () => {
  test("a Scan applied by hand is charged, isolated, run and recorded, and what it needed is deleted in time", async () => {
    const scan = applied();
    const id = scanIdOf(scan);
    expect(await stage.look(NAME)).toEqual(["adopt", "resolveTarget", "policyBeforePod"]);
    expect(stage.store.adopted).toMatchObject([
      { id, accountName: "shop", url: "https://api.shop.example/" },
    ]);
    expect([...stage.policies.objects.keys()]).toEqual([`${id}-1`]);
    expect(stage.jobs.objects.size).toBe(0);

    expect(await stage.look(NAME)).toEqual(["startJob"]);
    expect([...stage.jobs.objects.keys()]).toEqual([`${id}-1`]);
    expect(status()).toMatchObject({ phase: "Running", attempt: 1 });
    const { resourceVersion } = stage.scans.get(NAME).metadata;
    expect(await stage.look(NAME)).toEqual(["jobRunning"]);
    expect(stage.scans.get(NAME).metadata.resourceVersion).toBe(resourceVersion);

    stage.jobs.merge(`${id}-1`, { status: isComplete });
    stage.state.report = { attempt: 1, how: "delivered", outcome: { status: "completed", report } };
    expect(await stage.look(NAME)).toEqual(["readReport", "attestCanary", "done", "reportRecorded"]);
    expect(stage.store.rows.get(id)).toMatchObject({ status: "completed", score: 88 });
    expect(status()).toMatchObject({ phase: "Completed", score: 88, grade: "B" });
    expect(await stage.look(NAME)).toEqual(["alreadyFinished"]);
    expect([stage.jobs.objects.size, stage.policies.objects.size]).toEqual([1, 1]);
    stage.state.passed = settings.jobTtlSeconds * 1000;
    expect(await stage.look(NAME)).toEqual(["alreadyFinished"]);
    expect([stage.jobs.objects.size, stage.policies.objects.size]).toEqual([0, 0]);
  });

  test("a Scan applied by hand has no report read while it is not known which policies there are, and later has", async () => {
    const id = scanIdOf(applied());
    for (const _ of [1, 2]) await stage.look(NAME);
    stage.jobs.merge(`${id}-1`, { status: isComplete });
    stage.state.report = { attempt: 1, how: "delivered", outcome: { status: "completed", report } };
    stage.state.assertPoliciesRead = () => Promise.reject(new PoliciesUnread("a broken watch"));
    expect(await stage.look(NAME)).toEqual(["readReport", "policiesUnread"]);
    expect(stage.store.rows.get(id)).toMatchObject({ status: "processing" });
    expect(status()).toMatchObject({ phase: "Running", reason: "PolicyApiUnavailable" });
    stage.state.assertPoliciesRead = async () => undefined;
    await stage.look(NAME);
    expect(status()).toMatchObject({ phase: "Completed", reason: "ReportReceived" });
    expect(status().conditions).toContainEqual(
      expect.objectContaining({ type: "Sealed", status: "True", reason: "PolicyInPlace" }),
    );
  });

  test.each<[string, Partial<ScanResource["spec"]>, string]>([
    ["without an account", {}, "AccountMissing"],
    ["of an unknown account", { account: "nobody" }, "UnknownAccount"],
    ["of an account that its namespace may not use", { account: "house" }, "AccountNotAllowed"],
  ])("%s is refused, and nobody is charged", async (_, spec, reason) => {
    applied(spec);
    await stage.look(NAME);
    expect(status()).toMatchObject({
      phase: "Failed",
      conditions: [{ type: "Accepted", reason }, ...FAILED],
    });
    expect(stage.store.adopted).toEqual([]);
  });

  test("a Scan applied by hand of a host that its namespace may not scan is refused, and nobody is charged", async () => {
    applied({ account: "shop", specUrl: "https://elsewhere.example/openapi.json" });
    stage.state.targets = ["*.shop.example"];
    await stage.look(NAME);
    const message = expect.stringMatching(/^The annotation glovebox.dev\/targets .* elsewhere.example\.$/);
    expect(status()).toMatchObject({ phase: "Failed", reason: "TargetNotAllowed", message });
    expect(stage.store.adopted).toEqual([]);
  });

  test("a Scan applied by hand of an account that has used its scans up is refused with the number", async () => {
    applied();
    stage.store.isQuotaUsedUp = true;
    await stage.look(NAME);
    expect(status().conditions).toMatchObject([
      { reason: "QuotaExhausted", message: "The plan free has 3 scans a month." },
      ...FAILED,
    ]);
  });

  test("a Scan applied by hand that names no account is charged to the one of its namespace", async () => {
    applied({});
    stage.state.account = "shop";
    await stage.look(NAME);
    expect(stage.store.adopted).toMatchObject([{ accountName: "shop" }]);
  });
});

describe("a Scan that the API made", () => {
  const { metadata, spec } = scanResource();
  const made = (name: string): ScanResource => {
    const labels = { [LABELS.managedBy]: API_NAME };
    const url = "https://api.shop.example/";
    const body = {
      ...scanResource(),
      spec: { url, account: "shop" },
      metadata: { ...metadata, name, labels },
    };
    stage.store.rows.set(name, { ...ON_RECORD, url });
    return stage.scans.create(body as never) as unknown as ScanResource;
  };
  const ON_RECORD: ScanRow = { ...processingRow(SCAN_ID), url: spec.url };

  test("a Scan that the API made and nobody noted is noted for its row, and run without being charged again", async () => {
    const { uid } = made(SCAN_ID).metadata;
    expect(await stage.look(SCAN_ID)).toEqual(["bind", "resolveTarget", "policyBeforePod"]);
    expect(stage.store.rows.get(SCAN_ID)?.resourceUid).toBe(uid);
    expect(stage.store.adopted).toEqual([]);
  });

  test.each<[string, Partial<ScanRow>]>([
    ["for another Scan", { resourceUid: "another" }],
    ["for another address", { url: "https://victim.example/" }],
    ["for another Scan, and which has completed", { ...COMPLETED, resourceUid: "another" }],
  ])("says the name of a row that is there %s is refused, and the row is as before", async (_, over) => {
    made(SCAN_ID);
    const row = { ...ON_RECORD, ...over };
    stage.store.rows.set(SCAN_ID, row);
    await stage.look(SCAN_ID);
    expect(status(SCAN_ID)).toMatchObject({
      phase: "Failed",
      conditions: [{ reason: "IdentityMismatch" }, ...FAILED],
    });
    expect(stage.store.rows.get(SCAN_ID)).toEqual(row);
    expect([stage.jobs.objects.size, stage.policies.objects.size]).toEqual([0, 0]);
  });
});

describe("no Job is started", () => {
  beforeEach(async () => {
    applied();
    await stage.look(NAME);
  });

  test("while no canary lives, and the status says so", async () => {
    stage.state.canary = undefined;
    expect(await stage.look(NAME)).toEqual(["noCanary"]);
    expect(stage.jobs.objects.size).toBe(0);
    expect(status().conditions).toContainEqual(expect.objectContaining({ reason: "NoCanary" }));
  });

  test("while the API of policies is unavailable, which its first status says, and is created afterwards", async () => {
    const why = "GET /apis/projectcalico.org/v3: 503";
    stage.state.assertPoliciesRead = () => Promise.reject(new PoliciesUnread(why));
    expect(await stage.look(NAME)).toEqual(["startJob", "policiesUnread"]);
    expect(stage.jobs.objects.size).toBe(0);
    const message = `Policies that could widen the egress of the scan cannot be read: ${why}.`;
    expect(status()).toMatchObject({ phase: "Pending", reason: "PolicyApiUnavailable", message });
    stage.state.assertPoliciesRead = async () => undefined;
    expect(await stage.look(NAME)).toEqual(["startJob"]);
    expect(status()).toMatchObject({ phase: "Running", reason: "PolicyInPlace" });
  });

  test("no Job is started from a view of the Scan that is out of date", async () => {
    stage.caches.scans.put(stage.scans.get(NAME) as unknown as ScanResource);
    for (const policy of stage.policies.objects.values()) stage.caches.networkPolicies.put(policy);
    stage.scans.merge(NAME, { metadata: { labels: { of: "somebody" } } } as never);
    expect(await stage.reconcile(`glovebox-scans/${NAME}`)).toEqual({ afterMs: 250 });
    expect(stage.jobs.objects.size).toBe(0);
  });

  test("no Job is started once the lead is lost", async () => {
    stage.state.holdsLead = false;
    await expect(stage.look(NAME)).rejects.toBeInstanceOf(FenceLostError);
    expect([stage.jobs.objects.size, status().phase]).toEqual([0, undefined]);
  });
});

test("a finished Scan costs no query, from then on until it is deleted", async () => {
  const scan = applied();
  stage.scans.merge(NAME, { status: { finishedAt: scan.metadata.creationTimestamp } });
  expect(await stage.look(NAME)).toEqual(["alreadyFinished"]);
  stage.state.passed = settings.ttlSeconds * 1000;
  expect(await stage.look(NAME)).toEqual(["ttlExpired"]);
  expect(stage.scans.objects.size).toBe(0);
  expect(stage.store.finds).toBe(0);
});

test("a look reads the row once, and not again after it has recorded the outcome", async () => {
  applied();
  await stage.look(NAME);
  stage.store.finds = 0;
  await stage.look(NAME);
  expect(stage.store.finds).toBe(1);
  for (const name of stage.jobs.objects.keys()) stage.jobs.merge(name, { status: isComplete });
  stage.state.report = { attempt: 1, how: "delivered", outcome: { status: "completed", report } };
  expect(await stage.look(NAME)).toEqual(["readReport", "attestCanary", "done", "reportRecorded"]);
  expect(stage.store.finds).toBe(2);
});

test("a look at a Scan before the cache shows its new status decides on that, and writes nothing in vain", async () => {
  const id = scanIdOf(applied());
  await stage.look(NAME);
  await stage.look(NAME);
  const before = stage.server.requests.length;
  await stage.store.work.record(id, { status: "failed", failure: scanFailure("cancelled") });
  await stage.reconcile(`glovebox-scans/${NAME}`);
  expect(stage.decidedLast()).toBe("cancelled");
  const patches = stage.server.requests.slice(before).filter(({ method }) => method === "PATCH");
  expect(patches).toHaveLength(1);
  expect(status()).toMatchObject({ phase: "Failed", failure: { code: "cancelled" } });
});

describe("a Job that the API server refuses", () => {
  const message = 'jobs.batch "x" is forbidden:\n exceeded quota: scans';
  const refuseJobs = (times: number) =>
    stage.server.fail({
      times,
      matches: ({ method, path }) => method === "POST" && path.endsWith("/jobs"),
      act: (response) =>
        response
          .writeHead(403, { "content-type": "application/json" })
          .end(JSON.stringify({ kind: "Status", code: 403, reason: "Forbidden", message })),
    });

  test("a Job that the API server refuses is said in the status, and costs no attempt when it is taken later", async () => {
    applied();
    await stage.look(NAME);
    refuseJobs(1);
    expect(await stage.look(NAME)).toEqual(["startJob", "creationRefused"]);
    expect(status()).toMatchObject({ phase: "Pending", attempt: 1 });
    expect(status().conditions).toContainEqual(
      expect.objectContaining({
        type: "ReportRecorded",
        status: "Unknown",
        reason: "CouldNotStart",
        message: 'The API server rejects its Job: jobs.batch "x" is forbidden: exceeded quota: scans',
      }),
    );
    expect(await stage.look(NAME)).toEqual(["creationRefused"]);
    stage.state.passed = 15_000;
    expect(await stage.look(NAME)).toEqual(["startJob"]);
    expect(await stage.look(NAME)).toEqual(["waitUnexplained", "jobRunning"]);
    expect(status()).toMatchObject({ phase: "Running", attempt: 1 });
    expect(stage.jobs.objects.size).toBe(1);
  });
});

describe("an action", () => {
  const order = { scanId: "s", url: "u", pins: [], limits: { deadlineSeconds: 1, maxRequests: 1 } };
  const inWorld = () => world({ scan: applied() });

  test("an action that creates what exists succeeds, and creates nothing", async () => {
    const here = inWorld();
    const create = { do: "createJob", attempt: 1, policy: "p/1", order, canary } as const;
    await performCommand(create, here, stage.performing);
    await performCommand(create, here, stage.performing);
    expect(stage.jobs.objects.size).toBe(1);
  });

  test("an action that deletes what no longer exists succeeds", async () => {
    expect(await performCommand({ do: "deleteAttempt", attempt: 3 }, inWorld(), stage.performing)).toEqual({
      recent: { deletedAt: expect.any(Date) },
    });
  });

  test("an action that confirms a Job takes nobody else's under its name for ours", async () => {
    const here = inWorld();
    const ask = async () => {
      const { responses } = await runQuery({ ask: "confirmJob", attempt: 1 }, here, stage.queryDeps);
      return responses;
    };
    expect(await ask()).toEqual({ liveJob: { attempt: 1, exists: false } });
    const name = `${here.scanId}-1`;
    stage.jobs.create({ metadata: { name, ownerReferences: [{ uid: "else" }] } } as never);
    expect(await ask()).toEqual({ liveJob: { attempt: 1, exists: false } });
    stage.jobs.merge(name, { metadata: { ownerReferences: [{ uid: here.scan.metadata.uid }] } } as never);
    expect(await ask()).toEqual({ liveJob: { attempt: 1, exists: true } });
  });

  test("an action that writes a status leaves of the Scan what its cache holds", async () => {
    const scan = applied();
    stage.scans.merge(NAME, { metadata: { managedFields: [{ manager: "kubectl" }] } } as never);
    const { resourceVersion } = stage.scans.get(NAME).metadata;
    const here = world({ scan: { ...scan, metadata: { ...scan.metadata, resourceVersion } } });
    const ended = { phase: "Completed", finishedAt: "2026-07-10T12:00:00Z", score: 93 } as const;
    const effects = await performCommand({ do: "patchStatus", status: ended }, here, stage.performing);
    expect(status()).toMatchObject(ended);
    expect(effects.scan?.metadata).not.toHaveProperty("managedFields");
    expect(effects.scan?.status).toEqual({ phase: ended.phase, finishedAt: ended.finishedAt });
  });

  test("an action that records an outcome is refused once the lead is lost", async () => {
    const outcome = { status: "completed", report } as const;
    stage.state.holdsLead = false;
    const act = performCommand({ do: "recordOutcome", outcome }, inWorld(), stage.performing);
    await expect(act).rejects.toBeInstanceOf(FenceLostError);
  });
});
