import { SCANNER_CONTAINER } from "../kubernetes/pod-view.ts";
import { isIP, isIPv6 } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { IDENTITIES_FILE, type Pin, type ScanOrder } from "@glovebox/contract";
import { ANNOTATIONS, LABELS, type ScanResource } from "@glovebox/k8s";
import type { Wire } from "@glovebox/kube";
import type {
  V1Container,
  V1HostAlias,
  V1Job,
  V1NetworkPolicy,
  V1NetworkPolicySpec,
  V1PodSpec,
  V1Volume,
} from "@kubernetes/client-node";
import type { CanaryReference } from "../canary/protocol.ts";
import type { NetworkPolicy } from "../kubernetes/api-client.ts";
import { attemptMetadata, type Part, podLabels } from "../kubernetes/ownership.ts";
import type { PodOptions } from "./pod-options.ts";
import { jobDeadlineSeconds, podDeadlineSeconds, type ScanSettings } from "./settings.ts";

export interface JobRequest {
  readonly scan: ScanResource;
  readonly attempt: number;
  /** Version of its policy, recorded in an annotation. */
  readonly policy: string;
  readonly order: ScanOrder;
  /** The canary that the order names. */
  readonly canary: CanaryReference;
  /** The Secret whose identities the pod mounts. */
  readonly identitiesSecret?: string | undefined;
  readonly settings: ScanSettings;
  readonly pod: PodOptions;
}

/**
 * The isolated Job of one attempt. It has no TTL: the controller deletes it `jobTtlSeconds` after the end of the scan.
 */
export function jobManifest(request: JobRequest): V1Job {
  const { scan, attempt, policy, order, canary, settings } = request;
  const part = attemptMetadata({ scan, scanId: order.scanId, attempt, namespace: settings.namespace });
  const own = { [ANNOTATIONS.policy]: policy, [ANNOTATIONS.canary]: JSON.stringify(canary) };
  const metadata = { ...part, annotations: { ...part.annotations, ...own } };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata,
    spec: {
      parallelism: 1,
      completions: 1,
      backoffLimit: 0,
      activeDeadlineSeconds: jobDeadlineSeconds(settings),
      podReplacementPolicy: "Failed",
      // An evicted pod fails the Job, so that the controller starts the next attempt, with its own policy and number.
      podFailurePolicy: {
        rules: [{ action: "FailJob", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }],
      },
      template: {
        metadata: {
          labels: podLabels(order.scanId, attempt),
          annotations: { [ANNOTATIONS.order]: JSON.stringify(order) },
        },
        spec: podSpec(request),
      },
    },
  };
}

const ORDER_FILE = "/order/order.json";
const EXTRA_CA_FOLDER = "/etc/glovebox/extra-ca";
const EXTRA_CA_KEY = "extra-ca.pem";
const IDENTITIES_FOLDER = "/etc/glovebox/identities";
const TERMINATION_LOG = "/dev/termination-log";
const USER = 65532;

function podSpec(request: JobRequest): V1PodSpec {
  const { order, pod, settings, identitiesSecret } = request;
  return {
    restartPolicy: "Never",
    // Without it, a scanner could use the time that the Job reserves for waiting for its pod.
    activeDeadlineSeconds: podDeadlineSeconds(settings),
    // An active scan that is told to end deletes what it created.
    terminationGracePeriodSeconds: order.mode === "active" ? 40 : 5,
    ...(pod.serviceAccountName && { serviceAccountName: pod.serviceAccountName }),
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // No DNS: the pinned names are in /etc/hosts, and no name server listens on this address.
    dnsPolicy: "None",
    dnsConfig: { nameservers: ["127.0.0.1"], options: [{ name: "attempts", value: "1" }] },
    hostAliases: hostAliases(order.pins),
    securityContext: {
      runAsNonRoot: true,
      ...(pod.fixedUser !== false && { runAsUser: USER, runAsGroup: USER, fsGroup: USER }),
      seccompProfile: { type: "RuntimeDefault" },
    },
    ...(pod.userNamespace && { hostUsers: false }),
    ...(pod.runtimeClassName && { runtimeClassName: pod.runtimeClassName }),
    ...(pod.priorityClassName && { priorityClassName: pod.priorityClassName }),
    ...(pod.nodeSelector && { nodeSelector: { ...pod.nodeSelector } }),
    ...(pod.tolerations && { tolerations: [...pod.tolerations] }),
    ...(pod.imagePullSecrets && { imagePullSecrets: pod.imagePullSecrets.map((name) => ({ name })) }),
    containers: [scanner(request)],
    volumes: [
      {
        name: "order",
        downwardAPI: {
          items: [
            { path: "order.json", fieldRef: { fieldPath: `metadata.annotations['${ANNOTATIONS.order}']` } },
          ],
        },
      },
      { name: "tmp", emptyDir: { sizeLimit: "64Mi" } },
      ...(pod.extraCaConfigMap ? [extraCaVolume(pod.extraCaConfigMap)] : []),
      ...(identitiesSecret === undefined ? [] : [identitiesVolume(identitiesSecret)]),
    ],
  };
}

/** Mounted, because certificates may be large and would be stored with every Job otherwise. */
const extraCaVolume = (name: string): V1Volume => ({
  name: "extra-ca",
  configMap: { name, items: [{ key: EXTRA_CA_KEY, path: EXTRA_CA_KEY }] },
});

/**
 * One key of the Secret, whatever else it holds. The file belongs to root and to the group of the pod, in which the scanner is. The
 * pod does not start before the Secret has the key.
 */
const identitiesVolume = (secretName: string): V1Volume => ({
  name: "identities",
  secret: { secretName, defaultMode: 0o440, items: [{ key: IDENTITIES_FILE, path: IDENTITIES_FILE }] },
});

function scanner({ pod, identitiesSecret }: JobRequest): V1Container {
  const { image, imagePullPolicy = "IfNotPresent", resources, extraCaConfigMap } = pod;
  const { cpu, memory, ephemeralStorage } = resources;
  const amount = { cpu, memory, "ephemeral-storage": ephemeralStorage };
  return {
    name: SCANNER_CONTAINER,
    image,
    imagePullPolicy,
    args: [
      ...["--order", ORDER_FILE, "--termination-log", TERMINATION_LOG],
      ...(extraCaConfigMap ? ["--extra-ca", `${EXTRA_CA_FOLDER}/${EXTRA_CA_KEY}`] : []),
      ...(identitiesSecret === undefined ? [] : ["--identities", `${IDENTITIES_FOLDER}/${IDENTITIES_FILE}`]),
    ],
    terminationMessagePath: TERMINATION_LOG,
    terminationMessagePolicy: "File",
    securityContext: {
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    resources: { requests: amount, limits: amount },
    volumeMounts: [
      { name: "order", mountPath: "/order", readOnly: true },
      ...(extraCaConfigMap ? [{ name: "extra-ca", mountPath: EXTRA_CA_FOLDER, readOnly: true }] : []),
      ...(identitiesSecret === undefined
        ? []
        : [{ name: "identities", mountPath: IDENTITIES_FOLDER, readOnly: true }]),
      { name: "tmp", mountPath: "/tmp" },
      // Otherwise the container runtime mounts a directory there that all users may write to.
      { name: "tmp", mountPath: "/dev/shm", readOnly: true },
    ],
  };
}

/**
 * One entry for each address, with all names that are pinned to it. Literal addresses need none; names that Kubernetes refuses,
 * such as those with an underscore, the scanner reads from its order.
 */
function hostAliases(pins: readonly Pin[]): V1HostAlias[] {
  const names = new Map<string, string[]>();
  for (const { host, addresses } of pins.filter((pin) => isIP(pin.host) === 0 && !pin.host.includes("_"))) {
    for (const address of addresses) names.set(address, [...(names.get(address) ?? []), host]);
  }
  return [...names].map(([ip, hostnames]) => ({ ip, hostnames }));
}

/** The input of the spec of a policy. */
export interface PolicyBasis {
  readonly scanId: string;
  readonly attempt: number;
  readonly pins: readonly Pin[];
}

/** The policy of one attempt: no ingress; egress to the pinned addresses and TCP ports, and to their backends, only. No DNS. */
export function policyManifest({ pins, ...part }: PolicyBasis & Part): V1NetworkPolicy {
  const metadata = attemptMetadata(part);
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [ANNOTATIONS.pins]: JSON.stringify(pins) },
    },
    spec: specOf({ pins, ...part }),
  };
}

const specOf = ({ scanId, attempt, pins }: PolicyBasis) => ({
  podSelector: { matchLabels: { [LABELS.scan]: scanId, [LABELS.attempt]: String(attempt) } },
  policyTypes: ["Ingress", "Egress"],
  ingress: [],
  egress: pins.flatMap(({ addresses, ports, backends = [] }) => [
    ruleOf(addresses, ports),
    ...[...Map.groupBy(backends, ({ port }) => port)].map(([port, endpoints]) =>
      ruleOf(
        endpoints.map(({ address }) => address),
        [port],
      ),
    ),
  ]),
});

const ruleOf = (addresses: readonly string[], ports: readonly number[]) => ({
  to: addresses.map((address) => ({ ipBlock: { cidr: cidrOf(address) } })),
  ports: ports.map((port) => ({ protocol: "TCP", port })),
});

/** Whether the policy still has the spec with which it was created. */
export const hasSpecFor = (basis: PolicyBasis, { spec }: Pick<NetworkPolicy, "spec">): boolean =>
  isDeepStrictEqual(normalized(spec ?? {}), normalized(specOf(basis)));

/** The API server omits empty lists. */
function normalized({
  podSelector,
  policyTypes = [],
  ingress = [],
  egress = [],
}: Partial<Wire<V1NetworkPolicySpec>>) {
  return { podSelector, policyTypes: policyTypes.toSorted(), ingress, egress };
}

const cidrOf = (address: string): string => `${address}/${isIPv6(address) ? 128 : 32}`;
