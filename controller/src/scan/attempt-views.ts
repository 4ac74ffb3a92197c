import { type AddressFamily, familyOf, type Pin, pinSchema } from "@glovebox/contract";
import { ANNOTATIONS, LABELS } from "@glovebox/k8s";
import type { KubeObject } from "@glovebox/kube";
import * as z from "zod";
import { canaryReferenceSchema } from "../canary/protocol.ts";
import type { Job, NetworkPolicy, Pod } from "../runtime/api-client.ts";
import { hasSpecFor, SCANNER_CONTAINER } from "./manifests.ts";
import type { AttemptView, JobView, PodView, PolicyView } from "./world.ts";

export interface ObjectsOfScan {
  readonly policies: readonly NetworkPolicy[];
  readonly jobs: readonly Job[];
  readonly pods: readonly Pod[];
}

/** The attempts that have a policy, a Job or a pod, in ascending order. */
export function attemptViews(
  { policies, jobs, pods }: ObjectsOfScan,
  viewOfPod: (pod: Pod) => PodView,
): AttemptView[] {
  const numbers = [...policies, ...jobs, ...pods].map(numberOf).filter((number) => number > 0);
  return [...new Set(numbers)]
    .toSorted((a, b) => a - b)
    .map((number) => {
      const isOf = (object: KubeObject): boolean => numberOf(object) === number;
      const [policy, job] = [policies.find(isOf), jobs.find(isOf)];
      const views = pods.filter(isOf).map(viewOfPod);
      return {
        number,
        ...(policy && { policy: policyView(policy) }),
        ...(job && { job: withScannersEnd(jobView(job), views) }),
        pods: views,
      };
    });
}

/** 0 for an object without an attempt label. */
const numberOf = ({ metadata }: KubeObject): number =>
  Number(/^[1-9]\d{0,2}$/.exec(metadata?.labels?.[LABELS.attempt] ?? "")?.[0] ?? 0);

/** Cached views: objects of the cache are never changed, and each is read many times. */
const policyViews = new WeakMap<NetworkPolicy, PolicyView>();

function policyView(policy: NetworkPolicy): PolicyView {
  const known = policyViews.get(policy);
  if (known) return known;
  const view = viewOfPolicy(policy);
  policyViews.set(policy, view);
  return view;
}

function viewOfPolicy(policy: NetworkPolicy): PolicyView {
  const { labels = {}, uid = "", generation = 0 } = policy.metadata ?? {};
  const pins = pinsOf(policy);
  const made = { scanId: labels[LABELS.scan] ?? "", attempt: numberOf(policy), pins };
  return { pins, version: `${uid}/${generation}`, isAsMade: hasSpecFor(made, policy) };
}

const pinsSchema = z.array(pinSchema);

/** Empty if the annotation is invalid: then the policy does not match its spec either. */
const pinsOf = ({ metadata }: NetworkPolicy): Pin[] =>
  parsed(pinsSchema, metadata?.annotations?.[ANNOTATIONS.pins]) ?? [];

/** The parsed value of an annotation; undefined if it is missing or invalid. */
function parsed<T>(schema: z.ZodType<T>, json: string | undefined): T | undefined {
  try {
    return json === undefined ? undefined : schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

export function jobView({ metadata = {}, status = {} }: Job): JobView {
  const { active = 0, succeeded = 0, failed = 0, terminating = 0 } = status;
  const hadPod = active + succeeded + failed + terminating > 0;
  return {
    uid: metadata.uid ?? "",
    policy: metadata.annotations?.[ANNOTATIONS.policy],
    canary: parsed(canaryReferenceSchema, metadata.annotations?.[ANNOTATIONS.canary]),
    createdAt: dateOf(metadata.creationTimestamp),
    ...(hadPod && { hadPod }),
    ...(isMet(status.conditions, "Suspended") && { isSuspended: true }),
    ...endOf(status.conditions),
  };
}

/**
 * The exit of the scanner decides, not that of the pod: a container that an admission webhook added may run on, so that Kubernetes does not
 * end the Job, or fail, so that it fails the Job.
 */
function withScannersEnd(job: JobView, pods: readonly PodView[]): JobView {
  const { exit } = pods.find((pod) => pod.exit && (pod.foreignContainers ?? []).length > 0) ?? {};
  if (!exit || (job.ended && exit.code !== 0)) return job;
  return {
    ...job,
    ended:
      exit.code === 0
        ? { how: "complete" }
        : { how: "failed", reason: "BackoffLimitExceeded", message: "The scanner failed." },
    endedAt: exit.at,
    ...(!job.ended && { isPodRunning: true }),
  };
}

type JobConditions = NonNullable<Job["status"]>["conditions"];

const isMet = (conditions: JobConditions, wanted: string) =>
  conditions?.find(({ type, status }) => type === wanted && status === "True");

function endOf(conditions: JobConditions): Partial<JobView> {
  const end = isMet(conditions, "Complete") ?? isMet(conditions, "Failed");
  if (!end) return {};
  const { type, lastTransitionTime, reason = "", message = "" } = end;
  return {
    ended: type === "Complete" ? { how: "complete" } : { how: "failed", reason, message },
    ...(lastTransitionTime !== undefined && { endedAt: dateOf(lastTransitionTime) }),
  };
}

/** The state of a pod at one moment. */
export interface PodAsSeen extends Omit<PodView, "unschedulableSince" | "lostSince"> {
  /** The scheduler reports that no node fits. */
  readonly isUnschedulable: boolean;
  /** Its node is unreachable. */
  readonly isLost: boolean;
}

export function podView({ metadata = {}, spec, status = {} }: Pod): PodAsSeen {
  return {
    name: metadata.name ?? "",
    createdAt: dateOf(metadata.creationTimestamp),
    labels: metadata.labels ?? {},
    serviceAccount: spec?.serviceAccountName,
    isUnschedulable: isUnschedulable(status.conditions),
    ...containersView(status),
    failedReason: failedReason(status),
    isLost: isLost(status.conditions),
  };
}

function containersView(status: NonNullable<Pod["status"]>) {
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const isScanner = ({ name }: { readonly name: string }): boolean => name === SCANNER_CONTAINER;
  const { terminated, running, waiting } = containerStatuses.find(isScanner)?.state ?? {};
  const foreign = [...initContainerStatuses, ...containerStatuses].filter((one) => !isScanner(one));
  return {
    // Not needed earlier: this saves reconciliations.
    families: terminated && familiesOf(status),
    isRunning: running !== undefined,
    waitingReason: waiting?.reason,
    terminatedReason: terminated?.reason,
    exit: terminated && { code: terminated.exitCode, at: dateOf(terminated.finishedAt) },
    foreignContainers: foreign.map(({ name }) => name).toSorted(),
  };
}

/** Kubernetes shows that it has ended. */
export const hasPodEnded = ({ status }: Pod): boolean =>
  status?.phase === "Succeeded" || status?.phase === "Failed";

const failedReason = ({ phase, reason }: NonNullable<Pod["status"]>): string | undefined =>
  phase === "Failed" ? reason : undefined;

function familiesOf(status: Pod["status"]): AddressFamily[] | undefined {
  const { podIP, podIPs = podIP === undefined ? [] : [{ ip: podIP }] } = status ?? {};
  return podIPs.length === 0 ? undefined : [...new Set(podIPs.map(({ ip }) => familyOf(ip)))];
}

type Conditions = NonNullable<Pod["status"]>["conditions"];

function isUnschedulable(conditions: Conditions = []): boolean {
  const scheduled = conditions.find(({ type }) => type === "PodScheduled");
  return scheduled?.status === "False" && scheduled.reason === "Unschedulable";
}

/** Kubernetes sets the pods of an unreachable node to not ready, while their containers stay ready. */
function isLost(conditions: Conditions = []): boolean {
  const is = (wanted: string, value: string) =>
    conditions.some(({ type, status }) => type === wanted && status === value);
  return is("Ready", "False") && is("ContainersReady", "True");
}

const dateOf = (text: string | undefined): Date => new Date(text ?? 0);
