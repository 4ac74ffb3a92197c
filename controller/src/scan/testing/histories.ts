import { scanFailure } from "@glovebox/contract";
import fc from "fast-check";
import { jobDeadlineSeconds } from "../settings.ts";
import type { SimulatedJob, SimulatedPod } from "./simulated-job.ts";
import { type Simulation, TAMPERINGS } from "./simulation.ts";
import { pins, settings } from "./worlds.ts";

/** One thing that happens. */
export type Step = (simulation: Simulation) => unknown;

const conflicting = {
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "open", namespace: "glovebox-scans" },
  spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{}] },
};
export const deadline = jobDeadlineSeconds(settings);
const named = (name: string, step: Step): Step & { toString: () => string } =>
  Object.assign((simulation: Simulation) => step(simulation), { toString: () => name });

const ended =
  (reason: string, pod: SimulatedPod | undefined, changes: Partial<SimulatedJob> = {}) =>
  (job: SimulatedJob): SimulatedJob => ({ ...job, ...changes, ended: reason, pod });
/** The Job ends well. */
export const complete = (changes: Partial<SimulatedJob> = {}) =>
  ended("Complete", { terminatedReason: "Completed" }, changes);
const withPod =
  (pod: SimulatedPod) =>
  (job: SimulatedJob): SimulatedJob => ({ ...job, pod });

/** What may become of a running Job, and of its pod. */
const jobChanges: Record<string, (job: SimulatedJob) => SimulatedJob | undefined> = {
  complete: complete(),
  completeUnproven: complete({ log: "failure" }),
  completeRefused: complete({ log: "refused" }),
  canaryLost: (job) => ({ ...job, hasLostCanary: true }),
  completeBesideLostCanary: complete({ hasLostCanary: true }),
  completeCut: complete({ log: "cut" }),
  crash: ended("BackoffLimitExceeded", { terminatedReason: "Error" }),
  outOfMemory: ended("BackoffLimitExceeded", { terminatedReason: "OOMKilled" }),
  evicted: ended("PodFailurePolicy", {}),
  podDeleted: ended("BackoffLimitExceeded", undefined),
  deadline: ended("DeadlineExceeded", undefined),
  vanish: () => undefined,
  noImage: withPod({ waitingReason: "ErrImagePull" }),
  badImage: withPod({ waitingReason: "InvalidImageName" }),
  noRoom: withPod({ isUnschedulable: true }),
  nodeLost: withPod({ isRunning: true, isLost: true }),
};

const reconcile = fc
  .option(fc.nat(3), { nil: Infinity })
  .map((patience) => named(`reconcile(${patience})`, (simulation) => simulation.reconcile(patience)));
const see = fc
  .tuple(fc.constantFrom("scan", "jobs", "policies"), fc.integer({ min: 1, max: 3 }))
  .map(([what, versions]) =>
    named(`see(${what} ${versions})`, ({ kubernetes }) => kubernetes.see(what, versions)),
  );
/** All that has happened is seen, and acted on: as far as the controller gets. */
const catchUp = fc.option(fc.integer({ min: 1, max: 3 }), { nil: Infinity }).map((patience) =>
  named(`catchUp(${patience})`, (simulation) => {
    simulation.kubernetes.seeAll();
    return simulation.reconcile(patience);
  }),
);
const passTime = fc
  .constantFrom(1, 30, 90, 200, 500, 2_000, 20_000)
  .map((seconds) => named(`time(${seconds})`, ({ kubernetes }) => kubernetes.tick(seconds, deadline)));
const jobEvent = fc
  // The one mishap that leaves a Job running is as likely as all that end it.
  .oneof(fc.constant("nodeLost"), fc.constantFrom(...Object.keys(jobChanges)))
  .map((name) => named(name, ({ kubernetes }) => kubernetes.changeJob(jobChanges[name]!)));
const tampering = fc
  .constantFrom(...Object.keys(TAMPERINGS))
  .map((how) => named(how, (simulation) => simulation.tamper(how)));
const outside = fc.constantFrom(
  named("takeOver", (simulation) => simulation.takeOver()),
  named("cancel", (simulation) => simulation.cancel()),
  named("deleteScan", ({ kubernetes }) => kubernetes.deleteScan()),
  named("foreignPolicy", ({ kubernetes }) => {
    kubernetes.conflicting = kubernetes.conflicting.length > 0 ? [] : [conflicting];
  }),
  named("queue", (simulation) => {
    simulation.slot = simulation.slot === "granted" ? "waiting" : "granted";
  }),
  named("nameGone", (simulation) => {
    simulation.target = { ok: false, failure: scanFailure("name_not_resolved") };
  }),
  named("nameBack", (simulation) => {
    simulation.target = { ok: true, pins };
  }),
  named("deadlinesUnheld", ({ kubernetes }) => {
    kubernetes.holdsDeadlines = false;
  }),
  named("canaries", (simulation) => {
    simulation.hasCanary = !simulation.hasCanary;
  }),
  named("podsHeldUp", ({ kubernetes }) => {
    kubernetes.createsPods = !kubernetes.createsPods;
  }),
  named("jobsRefused", ({ kubernetes }) => {
    kubernetes.refusesJobs = !kubernetes.refusesJobs;
  }),
  named("quota", ({ store }) => {
    store.isQuotaUsedUp = true;
  }),
);

/** Anything, in any order, however often. */
export const histories = fc.array(
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
export const delays = fc.array(
  fc.oneof(see, fc.constant(named("reconcile", (simulation) => simulation.reconcile()))),
  {
    maxLength: 40,
  },
);
