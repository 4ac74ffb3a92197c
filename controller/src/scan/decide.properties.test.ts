import { isolationFailure, scanFailure } from "@glovebox/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jobDeadlineSeconds, scanDeadlineSeconds } from "./settings.ts";
import { SimulatedCluster, TAMPERINGS, type LiveJob } from "./testing/simulated-cluster.ts";
import { pins, podSeen, processing, settings } from "./testing/worlds.ts";

type Step = (cluster: SimulatedCluster) => void;

const foreign = {
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "open", namespace: "glovebox-scans" },
  spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{}] },
};
const deadline = jobDeadlineSeconds(settings);
const named = (name: string, step: Step): Step & { toString: () => string } =>
  Object.assign((cluster: SimulatedCluster) => step(cluster), { toString: () => name });

const failing =
  (reason: string, pod: Partial<LiveJob["pods"][number]> | undefined) =>
  (job: LiveJob): LiveJob => ({
    ...job,
    ended: { how: "failed", reason, message: "" },
    pods: pod ? [podSeen({ createdAt: job.createdAt, ...pod })] : [],
  });

/** What may become of a running Job, and of its pod. */
const jobChanges: Record<string, (now: Date) => (job: LiveJob) => LiveJob | undefined> = {
  complete: () => (job) => ({ ...job, ended: { how: "complete" } }),
  completeUnproven: () => (job) => ({ ...job, log: "failure", ended: { how: "complete" } }),
  completeRefused: () => (job) => ({ ...job, log: "refused", ended: { how: "complete" } }),
  canaryLost: () => (job) => ({ ...job, hasLostCanary: true }),
  completeBesideLostCanary: () => (job) => ({ ...job, hasLostCanary: true, ended: { how: "complete" } }),
  completeCut: () => (job) => ({ ...job, log: "cut", ended: { how: "complete" } }),
  crash: () => failing("BackoffLimitExceeded", { terminatedReason: "Error" }),
  outOfMemory: () => failing("BackoffLimitExceeded", { terminatedReason: "OOMKilled" }),
  evicted: () => failing("PodFailurePolicy", {}),
  podDeleted: () => failing("BackoffLimitExceeded", undefined),
  deadline: () => failing("DeadlineExceeded", undefined),
  vanish: () => () => undefined,
  noImage: () => (job) => ({
    ...job,
    pods: [podSeen({ createdAt: job.createdAt, waitingReason: "ErrImagePull" })],
  }),
  badImage: () => (job) => ({
    ...job,
    pods: [podSeen({ createdAt: job.createdAt, waitingReason: "InvalidImageName" })],
  }),
  noRoom: (now) => (job) => ({
    ...job,
    pods: [podSeen({ createdAt: job.createdAt, unschedulableSince: now })],
  }),
  nodeLost: (now) => (job) => ({ ...job, pods: [podSeen({ createdAt: job.createdAt, lostSince: now })] }),
};

const reconcile = fc
  .option(fc.nat(3), { nil: Infinity })
  .map((patience) => named(`reconcile(${patience})`, (cluster) => cluster.reconcile(patience)));
const see = fc
  .tuple(fc.constantFrom("scan", "jobs", "policies"), fc.integer({ min: 1, max: 3 }))
  .map(([what, versions]) => named(`see(${what} ${versions})`, (cluster) => cluster.see(what, versions)));
/** All that has happened is seen, and acted on: as far as the controller gets. */
const catchUp = fc.option(fc.integer({ min: 1, max: 3 }), { nil: Infinity }).map((patience) =>
  named(`catchUp(${patience})`, (cluster) => {
    cluster.seeAll();
    cluster.reconcile(patience);
  }),
);
const passTime = fc
  .constantFrom(1, 30, 90, 200, 500, 2_000, 20_000)
  .map((seconds) => named(`time(${seconds})`, (cluster) => cluster.tick(seconds, deadline)));
const jobEvent = fc
  // The one mishap that leaves a Job running is as likely as all that end it.
  .oneof(fc.constant("nodeLost"), fc.constantFrom(...Object.keys(jobChanges)))
  .map((name) => named(name, (cluster) => cluster.changeJob(jobChanges[name]!(cluster.now))));
const tampering = fc
  .constantFrom(...Object.keys(TAMPERINGS))
  .map((how) => named(how, (cluster) => cluster.tamper(how)));
const outside = fc.constantFrom(
  named("takeOver", (cluster) => cluster.takeOver()),
  named("cancel", (cluster) => cluster.cancel()),
  named("deleteScan", (cluster) => (cluster.scan.live = { ...cluster.scan.live, exists: false })),
  named("foreignPolicy", (cluster) => (cluster.foreign = cluster.foreign.length > 0 ? [] : [foreign])),
  named("queue", (cluster) => (cluster.slot = cluster.slot === "granted" ? "waiting" : "granted")),
  named("nameGone", (cluster) => (cluster.target = { ok: false, failure: scanFailure("name_not_resolved") })),
  named("deadlinesUnheld", (cluster) => (cluster.holdsDeadlines = false)),
  named("nameBack", (cluster) => (cluster.target = { ok: true, pins })),
  named("canaries", (cluster) => (cluster.hasCanary = !cluster.hasCanary)),
  named("podsHeldUp", (cluster) => (cluster.createsPods = !cluster.createsPods)),
  named("jobsRefused", (cluster) => (cluster.refusesJobs = !cluster.refusesJobs)),
  named("quota", (cluster) => (cluster.adoption = { refused: "QuotaExhausted", message: "All used." })),
);

const histories = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: catchUp },
    { weight: 6, arbitrary: reconcile },
    { weight: 6, arbitrary: see },
    { weight: 3, arbitrary: passTime },
    { weight: 4, arbitrary: jobEvent },
    { weight: 1, arbitrary: tampering },
    { weight: 1, arbitrary: outside },
  ),
  { maxLength: 80, size: "max" },
);

/** Nothing goes wrong but that events come late. */
const delays = fc.array(fc.oneof(see, fc.constant(named("reconcile", (cluster) => cluster.reconcile()))), {
  maxLength: 40,
});

/** Undisturbed from now on: every event arrives, time passes, and Kubernetes ends what is past its deadline. */
function settle(cluster: SimulatedCluster): void {
  const rounds = Math.ceil(scanDeadlineSeconds(settings) / 2_000) + 20;
  for (let round = 0; round < rounds && !isOver(cluster); round++) {
    for (let turn = 0; turn < 3; turn++) {
      cluster.seeAll();
      cluster.reconcile();
    }
    cluster.tick(2_000, deadline);
  }
}

const isOver = ({ isFinished, leftovers, row }: SimulatedCluster): boolean =>
  isFinished && leftovers === 0 && row.state !== "processing";

/** How the row of the Scan is found first: written by the API, which noted the Scan or died before, or not there. */
const ROWS = { byApi: processing, unnoted: { state: "unbound" }, byHand: { state: "absent" } } as const;

const play = (steps: readonly Step[], row: keyof typeof ROWS, namespace?: string): SimulatedCluster => {
  const cluster = new SimulatedCluster(ROWS[row], namespace);
  for (const step of steps) step(cluster);
  return cluster;
};

describe("any history of a scan", () => {
  test("ends, is recorded, charged and given back at most once, never has two live Jobs, and is not rewritten", () => {
    fc.assert(
      fc.property(histories, fc.constantFrom("byApi", "unnoted", "byHand", "elsewhere"), (steps, kind) => {
        const cluster = kind === "elsewhere" ? play(steps, "byHand", "team-a") : play(steps, kind);
        settle(cluster);
        expect(cluster.broken).toEqual([]);
        expect(cluster.isFinished).toBe(true);
        expect(cluster.row.state).not.toBe("processing");
        expect(cluster.leftovers).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  });

  test("of a Scan whose row is another's changes nothing of that, makes nothing, and is refused", () => {
    const notIts = fc.constantFrom({ state: "foreign" } as const, { state: "unbound" } as const);
    fc.assert(
      fc.property(histories, notIts, (steps, row) => {
        const cluster = new SimulatedCluster(row);
        cluster.isItsRow = false;
        for (const step of steps) step(cluster);
        settle(cluster);
        expect(cluster.row).toEqual(row);
        expect(cluster).toMatchObject({ broken: [], recorded: 0, leftovers: 0 });
        expect([...cluster.jobs, ...cluster.policies]).toEqual([]);
        const { status, exists } = cluster.scan.live;
        if (exists) expect(status!.conditions).toMatchObject([{ reason: "IdentityMismatch" }]);
      }),
      { numRuns: 500 },
    );
  });

  test("whose scan has ended in the store ends alike in its status", () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const cluster = play(steps, "byApi");
        settle(cluster);
        const { status, exists } = cluster.scan.live;
        if (exists) expect(status!.phase).toBe(cluster.row.state === "completed" ? "Completed" : "Failed");
      }),
      { numRuns: 500 },
    );
  });

  test("in which events are late and nothing else is wrong takes one attempt, and its report is recorded", () => {
    fc.assert(
      fc.property(delays, delays, (before, after) => {
        const cluster = play(before, "byHand");
        cluster.seeAll();
        cluster.reconcile();
        cluster.seeAll();
        cluster.reconcile();
        cluster.changeJob((job) => ({ ...job, ended: { how: "complete" } }));
        for (const step of after) step(cluster);
        settle(cluster);
        expect(cluster.row.state).toBe("completed");
        expect([...cluster.jobs.keys()]).toEqual([1]);
      }),
      { numRuns: 500 },
    );
  });

  test("of lost reports only makes as many attempts as are allowed, and then fails as lost", () => {
    const cluster = play([], "byApi");
    for (let round = 0; round < 60 && !cluster.isFinished; round++) {
      cluster.seeAll();
      cluster.reconcile();
      cluster.changeJob((job) => ({ ...job, log: "cut", ended: { how: "complete" } }));
    }
    expect(cluster.row).toMatchObject({ state: "failed", failure: { code: "result_lost" } });
    expect(Math.max(...cluster.jobs.keys())).toBe(settings.maxAttempts);
    expect(cluster).toMatchObject({ recorded: 1, givenBack: 1, broken: [] });
  });

  test.each(Object.keys(TAMPERINGS))(
    "in which its policy meets the same in every attempt (%s) fails as seal_broken, whatever its pods report",
    (how) => {
      const cluster = play([], "byApi");
      for (let round = 0; round < 60 && !cluster.isFinished; round++) {
        cluster.seeAll();
        cluster.reconcile();
        if (![...cluster.jobs.values()].some(({ live }) => live && !live.ended)) continue;
        cluster.tamper(how);
        cluster.changeJob((job) => ({ ...job, ended: { how: "complete" } }));
      }
      expect(cluster.row).toMatchObject({ state: "failed", failure: { code: "seal_broken" } });
      expect(Math.max(...cluster.jobs.keys())).toBe(settings.maxAttempts);
      expect(cluster).toMatchObject({ recorded: 1, givenBack: 1, broken: [] });
      expect(cluster.scan.live.status!.conditions).toContainEqual(
        expect.objectContaining({ type: "Sealed", status: "False", reason: "SealBroken" }),
      );
    },
  );
  test("of lost canaries only makes as many attempts as are allowed for that, and then fails as not proven", () => {
    const cluster = play([], "byApi");
    for (let round = 0; round < 60 && !cluster.isFinished; round++) {
      cluster.seeAll();
      cluster.reconcile();
      cluster.changeJob((job) => ({ ...job, hasLostCanary: true, ended: { how: "complete" } }));
    }
    expect(cluster.row).toEqual({
      state: "failed",
      failure: isolationFailure("CanaryLost", "It does not answer any more."),
    });
    expect(Math.max(...cluster.jobs.keys())).toBe(settings.maxCanaryLosses + 1);
    expect(cluster).toMatchObject({ recorded: 1, givenBack: 1, broken: [] });
  });

  test("whose Jobs are refused for good fails within a bound, at its first attempt, and says what refuses them", () => {
    const cluster = play([], "byApi");
    cluster.refusesJobs = true;
    for (let round = 0; round < 60 && !cluster.isFinished; round++) {
      cluster.seeAll();
      cluster.reconcile();
      cluster.tick(15, deadline);
    }
    expect(cluster.row).toMatchObject({
      state: "failed",
      failure: { code: "could_not_start", message: expect.stringContaining("exceeded quota") },
    });
    expect(cluster.scan.live.status).toMatchObject({ phase: "Failed", attempt: 1 });
    expect(cluster).toMatchObject({ recorded: 1, givenBack: 1, leftovers: 0, broken: [] });
  });

  test("whose Jobs are refused for a while is carried out afterwards, at its first attempt", () => {
    const cluster = play([], "byApi");
    cluster.refusesJobs = true;
    for (let round = 0; round < 20 && !cluster.isFinished; round++) {
      cluster.seeAll();
      cluster.reconcile();
      cluster.tick(10, deadline);
      if (round === 5) cluster.refusesJobs = false;
      if (round === 8) cluster.changeJob((job) => ({ ...job, ended: { how: "complete" } }));
    }
    expect(cluster.row.state).toBe("completed");
    expect([...cluster.jobs.keys()]).toEqual([1]);
    expect(cluster.scan.live.status!.conditions).toContainEqual(
      expect.objectContaining({ type: "ReportRecorded", status: "True", reason: "ReportReceived" }),
    );
  });

  test("without mishap takes three looks: a policy, a Job, its report", () => {
    const cluster = play([], "byHand");
    const rules: string[][] = [];
    while (!cluster.isFinished && rules.length < 10) {
      cluster.seeAll();
      rules.push([...cluster.reconcile()]);
      if (rules.length === 2) cluster.changeJob((job) => ({ ...job, ended: { how: "complete" } }));
    }
    expect(rules).toEqual([
      ["adopt", "resolveTarget", "policyBeforePod"],
      ["startJob"],
      ["readReport", "attestCanary", "done", "reportRecorded"],
    ]);
    expect(cluster).toMatchObject({ charged: 1, recorded: 1, givenBack: 0 });
  });
});
