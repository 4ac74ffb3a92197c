import { scanFailure, type ScanRequest } from "@glovebox/contract";
import {
  createEgressPolicy,
  type EgressAllowance,
  type Lookup,
  pinTarget,
  refusalOfPlainHttp,
} from "@glovebox/egress";
import type { CanaryReference } from "../canary/protocol.ts";
import type { Attestation } from "../canary/canaries.ts";
import type { KubeApi } from "../kubernetes/api-client.ts";
import type { Subject, Warning } from "@glovebox/kube";
import type { Effects } from "./overlay.ts";
import { attemptName, belongsTo } from "../kubernetes/ownership.ts";
import type { Query } from "./plan.ts";
import { type ServiceReader, withBackends } from "./service-backends.ts";
import { jobUidOf, type ReportResponse, type TargetResponse, type World } from "./world.ts";

export interface QueryDeps {
  readonly api: { readonly jobs: Pick<KubeApi["jobs"], "get"> };
  readonly resolveTarget: (request: ScanRequest) => Promise<TargetResponse>;
  /** Reads the report from the pods of the Job with this UID. */
  readonly readReport: (attempt: number, jobUid: string) => Promise<ReportResponse>;
  readonly attestCanary: (note: CanaryReference) => Promise<Attestation>;
  /** The newest warning about an object, if any. It never rejects. */
  readonly latestWarning: (about: Subject) => Promise<Warning | undefined>;
  readonly now: () => Date;
}

/**
 * Runs one query.
 * @throws KubeError
 */
export async function runQuery(query: Query, world: World, deps: QueryDeps): Promise<Effects> {
  switch (query.ask) {
    case "resolveTarget":
      return { responses: { target: await deps.resolveTarget(chargedRequest(world)) } };
    case "confirmJob":
      return { responses: { liveJob: await confirmJob(world, query.attempt, deps) } };
    case "explainWait":
      return { recent: { explanation: await explainWait(world, query, deps) } };
    case "readReport":
      return { responses: { report: await deps.readReport(query.attempt, jobUidOf(world)) } };
    case "attestCanary":
      return { responses: { canary: await attestCanary(world, query.attempt, deps) } };
  }
}

function chargedRequest({ row }: World): ScanRequest {
  if (row.state !== "processing") throw new Error("Only a processing scan has a target to resolve");
  return row.request;
}

async function confirmJob({ scan, scanId, settings }: World, attempt: number, { api }: QueryDeps) {
  const job = await api.jobs.get({ namespace: settings.namespace, name: attemptName(scanId, attempt) });
  return { attempt, exists: job !== undefined && belongsTo(job, scan) };
}

async function explainWait(
  { scanId, settings: { namespace } }: World,
  { attempt, pod }: Extract<Query, { ask: "explainWait" }>,
  { latestWarning, now }: QueryDeps,
) {
  const job = { kind: "Job", namespace, name: attemptName(scanId, attempt) };
  const warning = await latestWarning(pod === undefined ? job : { kind: "Pod", namespace, name: pod });
  return { attempt, warning, at: now() };
}

async function attestCanary({ attempts }: World, attempt: number, deps: QueryDeps) {
  const note = attempts.find(({ number }) => number === attempt)?.job?.canary;
  if (!note) return { attempt, alive: false, detail: "Its Job does not name a canary." } as const;
  return { attempt, ...(await deps.attestCanary(note)) };
}

export interface ResolveDeps {
  readonly allow: readonly EgressAllowance[];
  /** Ranges and addresses of the cluster and of its nodes, as far as known now. */
  readonly deny: () => readonly string[];
  /** Addresses of its API servers, as far as known now. */
  readonly controlPlane: () => readonly string[];
  /** Addresses of nodes, as far as known now. */
  readonly nodes: () => readonly string[];
  readonly lookup: Lookup;
  readonly readService: ServiceReader;
}

/** The pins of a scan, or the failure. */
export async function resolveTarget(
  { url, specUrl }: ScanRequest,
  { allow, deny, controlPlane, nodes, lookup, readService }: ResolveDeps,
): Promise<TargetResponse> {
  const policy = createEgressPolicy({ allow, deny: deny(), controlPlane: controlPlane() });
  const spec = specUrl === undefined ? undefined : new URL(specUrl);
  const target = new URL(url);
  const pinned = await pinTarget({ target, spec }, { policy, lookup });
  if (!pinned.ok) return { ok: false, failure: scanFailure(pinned.code, `${pinned.message}.`) };
  const urls = spec ? [target, spec] : [target];
  const refusal = refusalOfPlainHttp(urls, pinned.pins, { allow, allowPrivate: false });
  if (refusal) return { ok: false, failure: scanFailure("egress_refused", refusal) };
  const known = new Set(nodes());
  return withBackends(pinned.pins, {
    readService,
    refusal({ address }, host, port) {
      if (known.has(address)) return "a node of the cluster";
      // The operator allows a name with the port of its Service, not with the port of the pods.
      const verdict = policy.judge(address, port, host);
      return verdict.allowed ? undefined : verdict.reason;
    },
  });
}
