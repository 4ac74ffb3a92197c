import { parseTargetUrl, PLANS, type DeliveredOutcome } from "@glovebox/contract";
import { ANNOTATIONS, claimsRow, type Reason, type ScanResource } from "@glovebox/k8s";
import type { Store } from "@glovebox/store";
import type { Attestation } from "../canary/canaries.ts";
import type { CanaryNote } from "../canary/note.ts";
import type { KubeApi } from "../runtime/api-client.ts";
import type { Fence } from "../runtime/fence.ts";
import { isAlreadyExists, KubeError } from "../runtime/kube-error.ts";
import type { Objects } from "../runtime/objects.ts";
import type { NamespaceReader } from "../namespace.ts";
import type { Action } from "./action.ts";
import { explainWait, type ExplainDeps } from "./explain-wait.ts";
import { jobManifest, type PodOptions } from "./job-manifest.ts";
import { attemptName } from "./names.ts";
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

export interface PerformDeps extends ExplainDeps {
  readonly api: Pick<KubeApi, "jobs" | "networkPolicies">;
  readonly scans: Pick<Objects<ScanResource>, "patchStatus" | "delete">;
  readonly store: { readonly [Part in "accounts" | "scans" | "work"]: StorePart[Part] };
  /** Asked before each write to the store, too. */
  readonly fence: Pick<Fence, "assertHeld">;
  readonly pod: PodOptions;
  readonly namespaceFacts: NamespaceReader;
  readonly resolveTarget: (request: ScanRequestOnRecord) => Promise<TargetAnswer>;
  /** For the Job's own pods, by its UID. */
  readonly readReport: (attempt: number, jobUid: string) => Promise<ReportAnswer>;
  readonly attestCanary: (note: CanaryNote) => Promise<Attestation>;
  readonly followProgress: (scanId: string, attempt: number, jobUid: string) => void;
  /** For recording: a report takes much more memory while it is on its way to the database than before. */
  readonly inTurn: InTurn;
}

interface StorePart {
  readonly accounts: Pick<Store["accounts"], "find">;
  readonly scans: Pick<Store["scans"], "adopt" | "bind">;
  readonly work: Pick<Store["work"], "record">;
}

/**
 * Carries one action out, and gives the answer when it was a question.
 * @throws KubeError, StoreUnavailable or FenceLostError
 */
// oxlint-disable-next-line complexity -- one case for each action
export async function perform(action: Action, world: World, deps: PerformDeps): Promise<Answers> {
  const { scan, scanId } = world;
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
          scan.metadata.namespace,
          policyManifest({ scan, scanId, attempt: action.attempt, pins: action.pins }),
        ),
      );
    case "createJob":
      return create("Job", deps, () =>
        deps.api.jobs.create(
          scan.metadata.namespace,
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

async function adopt(world: World, deps: PerformDeps): Promise<Answers> {
  const { scan, scanId } = world;
  const { namespace } = scan.metadata;
  const { account: usual, accounts } = await deps.namespaceFacts(namespace, "fresh");
  const accountName = scan.spec.account ?? usual;
  if (accountName === undefined)
    return refused("AccountMissing", "Neither spec.account nor the namespace's annotation names an account.");
  if (!accounts.has(accountName)) return refused("AccountNotAllowed", notAllowed(namespace, accountName));
  const unknown = refused("UnknownAccount", `There is no account named ${JSON.stringify(accountName)}.`);
  const account = await deps.store.accounts.find(accountName);
  if (!account) return unknown;
  const { scansPerMonth } = PLANS[account.plan];
  const asked = { id: scanId, accountName, ...requestIn(scan), resource: await resourceOf(scan, deps) };
  deps.fence.assertHeld();
  const result = await deps.store.scans.adopt({ ...asked, scansPerMonth });
  if (result === "unknownAccount") return unknown;
  if (result !== "quotaExceeded") return {};
  return refused("QuotaExhausted", `The plan ${account.plan} has ${scansPerMonth} scans a month.`);
}

async function bind({ scan, scanId }: World, deps: PerformDeps): Promise<Answers> {
  // The API names the account in each Scan that it makes; by hand it may be left to the namespace.
  const accountName = claimsRow(scan) ? (scan.spec.account ?? "") : scan.spec.account;
  const asked = { id: scanId, accountName, ...requestIn(scan), resource: await resourceOf(scan, deps) };
  deps.fence.assertHeld();
  return (await deps.store.scans.bind(asked)) ? {} : { binding: "refused" };
}

/** What the Scan asks for, in the form in which it is on record. */
const requestIn = ({ spec: { url, specUrl, context } }: ScanResource) => ({
  url: parseTargetUrl("url", url).href,
  specUrl: specUrl === undefined ? undefined : parseTargetUrl("specUrl", specUrl).href,
  context,
});

const resourceOf = async ({ metadata }: ScanResource, { namespaceFacts }: PerformDeps) => ({
  uid: metadata.uid,
  namespace: metadata.namespace,
  installation: (await namespaceFacts(metadata.namespace)).uid,
});

const notAllowed = (namespace: string, accountName: string): string =>
  `The annotation ${ANNOTATIONS.accounts} of the namespace ${namespace} does not list the account ${JSON.stringify(accountName)}.`;

const refused = (reason: Reason, message: string): Answers => ({ adoption: { refused: reason, message } });

async function confirmJob({ scan, scanId }: World, attempt: number, { api }: PerformDeps) {
  const name = attemptName(scanId, attempt);
  const job = await api.jobs.get({ namespace: scan.metadata.namespace, name });
  const isOurs = job?.metadata?.ownerReferences?.some(({ uid }) => uid === scan.metadata.uid) ?? false;
  return { attempt, exists: isOurs };
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
  { scan, scanId }: World,
  attempt: number,
  { api }: PerformDeps,
): Promise<Answers> {
  const object = { namespace: scan.metadata.namespace, name: attemptName(scanId, attempt) };
  await api.jobs.delete(object);
  await api.networkPolicies.delete(object);
  return {};
}
