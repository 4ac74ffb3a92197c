import { bounded, type DeliveredOutcome, type DeliveredReport } from "@glovebox/scan-run";
import { parseTargetUrl, type NotedWrite, type ScanOrder } from "@glovebox/contract";
import { ANNOTATIONS, claimsRow, type Reason, type ScanResource, type ScanStatus } from "@glovebox/k8s";
import {
  type ConcurrencyLimit,
  type Fence,
  isAlreadyExists,
  KubeError,
  type Objects,
  withoutManagedFields,
} from "@glovebox/kube";
import type { Store } from "@glovebox/store";
import { trimScan } from "../caches/scan-cache.ts";
import { mayBeTarget, type NamespaceReader } from "../kubernetes/namespace.ts";
import type { KubeApi } from "../kubernetes/api-client.ts";
import { jobManifest, policyManifest } from "./manifests.ts";
import type { Effects } from "./overlay.ts";
import { attemptName } from "../kubernetes/ownership.ts";
import type { Command } from "./plan.ts";
import type { PodOptions } from "./pod-options.ts";
import { jobUidOf, type CreationRefusal, type World } from "./world.ts";

export interface PerformDeps extends AdoptDeps {
  readonly api: {
    readonly [Kind in "jobs" | "networkPolicies"]: Pick<KubeApi[Kind], "delete"> & {
      create(...object: Parameters<KubeApi[Kind]["create"]>): Promise<unknown>;
    };
  } & Pick<KubeApi, "secrets">;
  readonly scans: Pick<Objects<ScanResource>, "patchStatus" | "delete">;
  readonly store: AdoptDeps["store"] & {
    readonly work: Pick<Store["work"], "record">;
    readonly scanWrites: Pick<Store["scanWrites"], "note" | "resumptionOf">;
  };
  readonly pod: PodOptions;
  /** The report of the Scan was recorded. */
  readonly onReport?: ((scan: ScanResource, report: DeliveredReport) => void) | undefined;
  /** What the scanner in the pods of the Job with this UID has noted. */
  readonly readWrites: (jobUid: string) => Promise<NotedWrite[]>;
  readonly followProgress: (scanId: string, attempt: number, jobUid: string) => void;
  /** Limits concurrent recordings, because a report takes much more memory while it is written to the database. */
  readonly limitRecordings: ConcurrencyLimit;
  readonly now: () => Date;
}

/**
 * Executes one command.
 * @throws KubeError, StoreUnavailable or FenceLostError
 */
export async function performCommand(command: Command, world: World, deps: PerformDeps): Promise<Effects> {
  const { scan, scanId } = world;
  const { namespace } = world.settings;
  switch (command.do) {
    case "adopt":
      return adopt(world, deps);
    case "bind":
      return bind(world, deps);
    case "recordOutcome":
      return deps.limitRecordings(() => record(world, command.outcome, deps));
    case "createPolicy": {
      const policy = policyManifest({ ...command, scan, scanId, namespace });
      return create("NetworkPolicy", deps, () => deps.api.networkPolicies.create(namespace, policy));
    }
    case "createJob":
      return createJob(command, world, deps);
    case "followProgress":
      deps.followProgress(scanId, command.attempt, jobUidOf(world));
      return {};
    case "noteWrites":
      await deps.store.scanWrites.note(scanId, await deps.readWrites(jobUidOf(world)));
      return {};
    case "deleteAttempt":
      return deleteAttempt(world, command.attempt, deps);
    case "deleteIdentities":
      await deps.api.secrets.delete({ namespace, name: command.secret });
      return {};
    case "patchStatus":
      return patchStatus(scan, command.status, deps);
    case "deleteScan":
      await deps.scans.delete({ ...nameOf(scan), uid: scan.metadata.uid });
      return {};
  }
}

async function createJob(
  command: Extract<Command, { do: "createJob" }>,
  { scan, settings }: World,
  deps: PerformDeps,
): Promise<Effects> {
  const order = await resumed(command.order, deps);
  const job = jobManifest({ ...command, order, scan, settings, pod: deps.pod });
  const { recent } = await create("Job", deps, () => deps.api.jobs.create(settings.namespace, job));
  return { recent: recent ?? { madeAttempt: command.attempt } };
}

/** The order with what earlier attempts of an active scan wrote, as far as it fits. */
async function resumed(order: ScanOrder, { store }: PerformDeps): Promise<ScanOrder> {
  if (order.mode !== "active") return order;
  const resumption = await store.scanWrites.resumptionOf(order.scanId);
  return resumption ? { ...order, resumption: bounded(resumption, MAX_RESUMPTION_BYTES) } : order;
}

/** The order is an annotation; all annotations of an object together have at most 256 KiB. */
const MAX_RESUMPTION_BYTES = 180_000;

/** The Scan is returned as the cache will hold it: with many Scans in the queue, it takes long until each is reconciled again. */
async function patchStatus(scan: ScanResource, status: ScanStatus, { scans }: PerformDeps): Promise<Effects> {
  const { resourceVersion = "" } = scan.metadata;
  const written = await scans.patchStatus(nameOf(scan), status, resourceVersion);
  return { scan: trimScan(withoutManagedFields(written)) };
}

const nameOf = ({ metadata: { namespace, name } }: ScanResource) => ({ namespace, name });

/** A row that was just ended is not read again: a client that waited for the end may delete it immediately. */
async function record(
  { scan, scanId }: World,
  outcome: DeliveredOutcome,
  { fence, store, onReport }: PerformDeps,
): Promise<Effects> {
  fence.assertHeld();
  if (!(await store.work.record(scanId, outcome))) return {};
  if (outcome.status === "failed") return { row: { state: "failed", failure: outcome.failure } };
  onReport?.(scan, outcome.report);
  const { score, grade, findings } = outcome.report;
  return { row: { state: "completed", score, grade, findings } };
}

/** AlreadyExists is success: this controller or the previous leader created it. */
async function create(
  what: CreationRefusal["what"],
  { now }: PerformDeps,
  call: () => Promise<unknown>,
): Promise<Effects> {
  try {
    await call();
  } catch (error) {
    if (isAlreadyExists(error)) return {};
    // Without a response it is unknown whether the object was created: the next reconciliation checks.
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

export interface AdoptDeps {
  readonly store: {
    readonly scans: Pick<Store["scans"], "adopt" | "bind">;
  };
  /** Also checked before each write to the store. */
  readonly fence: Pick<Fence, "assertHeld">;
  readonly namespaceFacts: NamespaceReader;
}

/** Charges the account that the Scan or its namespace names, and inserts the row. */
async function adopt(world: World, deps: AdoptDeps): Promise<Effects> {
  const { scan } = world;
  const { namespace } = scan.metadata;
  const facts = await deps.namespaceFacts(namespace, "fresh");
  const accountName = scan.spec.account ?? facts.account;
  if (accountName === undefined)
    return refused("AccountMissing", "Neither spec.account nor the namespace's annotation names an account.");
  if (!facts.accounts.has(accountName))
    return refused("AccountNotAllowed", notListed(namespace, "accounts", `the account ${accountName}`));
  const deniedHost = hostsOf(scan).find((host) => !mayBeTarget(host, facts));
  if (deniedHost !== undefined)
    return refused("TargetNotAllowed", notListed(namespace, "targets", `the host ${deniedHost}`));
  const request = await requestIn(world, deps);
  deps.fence.assertHeld();
  const result = await deps.store.scans.adopt({ ...request, accountName });
  if (result.outcome === "unknownAccount")
    return refused("UnknownAccount", `The account ${JSON.stringify(accountName)} was not found.`);
  if (result.outcome === "activeModeForbidden")
    return refused(
      "ActiveModeNotAllowed",
      `The account ${JSON.stringify(accountName)} may not scan in active mode: an administrator of the service has to allow it.`,
    );
  if (result.outcome !== "quotaExceeded") return {};
  return refused("QuotaExhausted", `The plan ${result.plan} has ${result.scansPerMonth} scans a month.`);
}

/** Binds the row to the Scan. */
async function bind(world: World, deps: AdoptDeps): Promise<Effects> {
  const { scan } = world;
  // The API names the account in each Scan that it creates; a Scan created by hand may leave it to the namespace.
  const accountName = claimsRow(scan) ? (scan.spec.account ?? "") : scan.spec.account;
  const request = await requestIn(world, deps);
  deps.fence.assertHeld();
  return (await deps.store.scans.bind({ ...request, accountName }))
    ? {}
    : { responses: { binding: "refused" } };
}

/** The request of the Scan in normal form, as in its row, and the identity of the Scan. */
async function requestIn({ scan, scanId, settings }: World, { namespaceFacts }: AdoptDeps) {
  const { url, specUrl, context, mode, include, exclude } = scan.spec;
  const { uid: installation } = await namespaceFacts(settings.namespace);
  return {
    id: scanId,
    url: parseTargetUrl("url", url, "https or http").href,
    specUrl: specUrl === undefined ? undefined : parseTargetUrl("specUrl", specUrl, "https or http").href,
    ...{ context, mode, include, exclude },
    uid: scan.metadata.uid,
    namespace: scan.metadata.namespace,
    installation,
  };
}

const notListed = (namespace: string, list: "accounts" | "targets", what: string): string =>
  `The annotation ${ANNOTATIONS[list]} of the namespace ${namespace} does not list ${what}.`;

const hostsOf = ({ spec: { url, specUrl } }: ScanResource): string[] =>
  [url, ...(specUrl === undefined ? [] : [specUrl])].map(
    (text) => parseTargetUrl("url", text, "https or http").hostname,
  );

const refused = (reason: Reason, message: string): Effects => ({
  responses: { adoption: { refused: reason, message } },
});
