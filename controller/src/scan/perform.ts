import type { DeliveredOutcome } from "@glovebox/contract";
import type { ScanResource } from "@glovebox/k8s";
import { isAlreadyExists, KubeError, type Objects } from "@glovebox/kube";
import type { Store } from "@glovebox/store";
import type { KubeApi } from "../runtime/api-client.ts";
import type { InTurn } from "../runtime/at-most.ts";
import { adopt, bind, type AdoptDeps } from "./adopt.ts";
import { jobManifest, type PodOptions } from "./job-manifest.ts";
import { attemptName } from "./names.ts";
import type { Effects } from "./overlay.ts";
import type { Command } from "./plan.ts";
import { policyManifest } from "./policy-manifest.ts";
import { jobUidOf, type Refusal, type World } from "./world.ts";

export interface PerformDeps extends AdoptDeps {
  readonly api: {
    readonly [Kind in "jobs" | "networkPolicies"]: Pick<KubeApi[Kind], "delete"> & {
      create(...object: Parameters<KubeApi[Kind]["create"]>): Promise<unknown>;
    };
  };
  readonly scans: Pick<Objects<ScanResource>, "patchStatus" | "delete">;
  readonly store: AdoptDeps["store"] & { readonly work: Pick<Store["work"], "record"> };
  readonly pod: PodOptions;
  readonly followProgress: (scanId: string, attempt: number, jobUid: string) => void;
  /** For recording: a report takes much more memory while it is on its way to the database than before. */
  readonly inTurn: InTurn;
  readonly now: () => Date;
}

/**
 * Carries one command out.
 * @throws KubeError, StoreUnavailable or FenceLostError
 */
export async function perform(command: Command, world: World, deps: PerformDeps): Promise<Effects> {
  const { scan, scanId } = world;
  const { namespace } = world.settings;
  switch (command.do) {
    case "adopt":
      return adopt(world, deps);
    case "bind":
      return bind(world, deps);
    case "recordOutcome":
      await deps.inTurn(() => record(scanId, command.outcome, deps));
      return {};
    case "createPolicy": {
      const policy = policyManifest({ ...command, scan, scanId, namespace });
      return create("NetworkPolicy", deps, () => deps.api.networkPolicies.create(namespace, policy));
    }
    case "createJob": {
      const job = jobManifest({ ...command, scan, settings: world.settings, pod: deps.pod });
      const { recent } = await create("Job", deps, () => deps.api.jobs.create(namespace, job));
      return { recent: recent ?? { madeAttempt: command.attempt } };
    }
    case "followProgress":
      deps.followProgress(scanId, command.attempt, jobUidOf(world));
      return {};
    case "deleteAttempt":
      return deleteAttempt(world, command.attempt, deps);
    case "patchStatus":
      return {
        scan: await deps.scans.patchStatus(nameOf(scan), command.status, scan.metadata.resourceVersion ?? ""),
      };
    case "deleteScan":
      await deps.scans.delete({ ...nameOf(scan), uid: scan.metadata.uid });
      return {};
  }
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

/** What exists was created before, by this controller or the one before it. */
async function create(
  what: Refusal["what"],
  { now }: PerformDeps,
  call: () => Promise<unknown>,
): Promise<Effects> {
  try {
    await call();
  } catch (error) {
    if (isAlreadyExists(error)) return {};
    // No answer is none: whether the object was made, the next look tells.
    if (!(error instanceof KubeError) || error.code === undefined) throw error;
    return { recent: { refusal: { what, message: error.detail ?? error.message, at: now() } } };
  }
  return {};
}

async function deleteAttempt(
  { scanId, now, settings: { namespace } }: World,
  attempt: number,
  { api }: PerformDeps,
): Promise<Effects> {
  const object = { namespace, name: attemptName(scanId, attempt) };
  await api.jobs.delete(object);
  await api.networkPolicies.delete(object);
  return { recent: { deletedAt: now } };
}
