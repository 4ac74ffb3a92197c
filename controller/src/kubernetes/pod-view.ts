import { type AddressFamily, familyOf } from "@glovebox/contract";
import type { Pod } from "./api-client.ts";
import { dateOf } from "./job-view.ts";

/** The container that the controller creates; an admission webhook may add others. */
export const SCANNER_CONTAINER = "scanner";

/** What decisions read of a pod of an attempt. */
export interface PodView {
  readonly name: string;
  readonly createdAt: Date;
  /** All that it has, whoever added them. */
  readonly labels: Readonly<Record<string, string>>;
  /** Name of the service account that it runs as. */
  readonly serviceAccount?: string | undefined;
  /** Address families that it has, once its container has ended. */
  readonly families?: readonly AddressFamily[] | undefined;
  /** Since when the scheduler reports that no node fits. */
  readonly unschedulableSince?: Date | undefined;
  readonly isRunning?: boolean | undefined;
  /** Why its scanner waits, such as ErrImagePull. */
  readonly waitingReason?: string | undefined;
  /** Why its scanner ended, such as OOMKilled. */
  readonly terminatedReason?: string | undefined;
  /** How the scanner ended. */
  readonly exit?: { readonly code: number; readonly at: Date | undefined } | undefined;
  /** Names of its containers that Glovebox did not create: an admission webhook added them. */
  readonly injectedContainers?: readonly string[];
  /** Why it failed as a whole, such as DeadlineExceeded. */
  readonly failedReason?: string | undefined;
  /** Since when its node is observed to be unreachable. */
  readonly lostSince?: Date | undefined;
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
  const injected = [...initContainerStatuses, ...containerStatuses].filter((one) => !isScanner(one));
  return {
    // Not needed earlier: this saves reconciliations.
    families: terminated && familiesOf(status),
    isRunning: running !== undefined,
    waitingReason: waiting?.reason,
    terminatedReason: terminated?.reason,
    exit: terminated && { code: terminated.exitCode, at: endOfContainer(terminated) },
    injectedContainers: injected.map(({ name }) => name).toSorted(),
  };
}

/** Undefined where the kubelet does not know it. */
const endOfContainer = ({ finishedAt }: { readonly finishedAt?: string }): Date | undefined =>
  finishedAt ? dateOf(finishedAt) : undefined;

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
