import type { DeliveredOutcome } from "@glovebox/contract";
import type { ScanResource } from "@glovebox/k8s";
import type { Store } from "@glovebox/store";
import type { Attestation } from "../canary/canaries.ts";
import type { CanaryNote } from "../canary/note.ts";
import type { KubeApi } from "../runtime/api-client.ts";
import { isAlreadyExists, KubeError } from "../runtime/kube-error.ts";
import type { Objects } from "../runtime/objects.ts";
import type { Action } from "./action.ts";
import { explainWait, type ExplainDeps } from "./explain-wait.ts";
import { jobManifest, type PodOptions } from "./job-manifest.ts";
import { adopt, bind, type AdoptDeps } from "./adopt.ts";
import { attemptName } from "./names.ts";
import { belongsTo } from "./ownership.ts";
import { policyManifest } from "./policy-manifest.ts";
import type { InTurn } from "../runtime/at-most.ts";
import {
  attemptInHand,
  type Answers,
  type Refusal,
  type ReportAnswer,
  type ScanRequestOnRecord,
  type TargetAnswer,
  type World,
} from "./world.ts";

export interface PerformDeps extends ExplainDeps, AdoptDeps {
  readonly api: Pick<KubeApi, "jobs" | "networkPolicies">;
  readonly scans: Pick<Objects<ScanResource>, "patchStatus" | "delete">;
  readonly store: AdoptDeps["store"] & { readonly work: Pick<Store["work"], "record"> };
  readonly pod: PodOptions;
  readonly resolveTarget: (request: ScanRequestOnRecord) => Promise<TargetAnswer>;
  /** For the Job's own pods, by its UID. */
  readonly readReport: (attempt: number, jobUid: string) => Promise<ReportAnswer>;
  readonly attestCanary: (note: CanaryNote) => Promise<Attestation>;
  readonly followProgress: (scanId: string, attempt: number, jobUid: string) => void;
  /** For recording: a report takes much more memory while it is on its way to the database than before. */
  readonly inTurn: InTurn;
}

/**
 * Carries one action out, and gives the answer when it was a question.
 * @throws KubeError, StoreUnavailable or FenceLostError
 */
// oxlint-disable-next-line complexity -- one case for each action
export async function perform(action: Action, world: World, deps: PerformDeps): Promise<Answers> {
  const { scan, scanId } = world;
  const { namespace } = world.settings;
  switch (action.do) {
    case "adopt":
      return adopt(world, deps);
    case "bind":
      return bind(world, deps);
    case "resolveTarget":
      return { target: await deps.resolveTarget(requestOf(world)) };
    case "confirmJob":
      return { liveJob: await confirmJob(world, action.attempt, deps) };
    case "explainWait":
      return { explanation: await explainWait(world, action, deps) };
    case "readReport":
      return { report: await deps.readReport(action.attempt, jobUidOf(world)) };
    case "attestCanary":
      return { canary: await attestCanary(world, action.attempt, deps) };
    case "recordOutcome":
      await deps.inTurn(() => record(scanId, action.outcome, deps));
      return {};
    case "createPolicy":
      return create("NetworkPolicy", deps, () =>
        deps.api.networkPolicies.create(
          namespace,
          policyManifest({ scan, scanId, namespace, attempt: action.attempt, pins: action.pins }),
        ),
      );
    case "createJob":
      return create("Job", deps, () =>
        deps.api.jobs.create(
          namespace,
          jobManifest({ ...action, scan, settings: world.settings, pod: deps.pod }),
        ),
      );
    case "followProgress":
      deps.followProgress(scanId, action.attempt, jobUidOf(world));
      return {};
    case "deleteAttempt":
      return deleteAttempt(world, action.attempt, deps);
    case "patchStatus":
      return {
        scan: await deps.scans.patchStatus(nameOf(scan), action.status, scan.metadata.resourceVersion ?? ""),
      };
    case "deleteScan":
      return deleteScan(scan, deps);
    case "requeueAfter":
      return {};
  }
}

async function deleteScan(scan: ScanResource, { scans }: PerformDeps): Promise<Answers> {
  await scans.delete({ ...nameOf(scan), uid: scan.metadata.uid });
  return {};
}

const nameOf = ({ metadata: { namespace, name } }: ScanResource) => ({ namespace, name });

async function record(
  scanId: string,
  outcome: DeliveredOutcome,
  { fence, store }: PerformDeps,
): Promise<void> {
  fence.assertHeld();
  await store.work.record(scanId, outcome);
}

function jobUidOf(world: World): string {
  const { job } = attemptInHand(world);
  if (!job) throw new Error("Without a Job there is no pod to read of");
  return job.uid;
}

function requestOf({ row }: World): ScanRequestOnRecord {
  if (row.state !== "processing") throw new Error("Only a processing scan has a target to resolve");
  return row.request;
}

async function confirmJob({ scan, scanId, settings }: World, attempt: number, { api }: PerformDeps) {
  const job = await api.jobs.get({ namespace: settings.namespace, name: attemptName(scanId, attempt) });
  return { attempt, exists: job !== undefined && belongsTo(job, scan) };
}

async function attestCanary({ attempts }: World, attempt: number, deps: PerformDeps) {
  const note = attempts.find(({ number }) => number === attempt)?.job?.canary;
  if (!note) return { attempt, lives: false, detail: "Its Job names none." } as const;
  return { attempt, ...(await deps.attestCanary(note)) };
}

/** What exists was created before, by this controller or the one before it. */
async function create(
  what: Refusal["what"],
  { now }: PerformDeps,
  call: () => Promise<unknown>,
): Promise<Answers> {
  try {
    await call();
  } catch (error) {
    if (isAlreadyExists(error)) return {};
    // No answer is none: whether the object was made, the next look tells.
    if (!(error instanceof KubeError) || error.code === undefined) throw error;
    return { refusal: { what, message: error.said ?? error.message, at: now() } };
  }
  return {};
}

async function deleteAttempt(
  { scanId, settings: { namespace } }: World,
  attempt: number,
  { api }: PerformDeps,
): Promise<Answers> {
  const object = { namespace, name: attemptName(scanId, attempt) };
  await api.jobs.delete(object);
  await api.networkPolicies.delete(object);
  return {};
}
