import type { DeliveredReport } from "@glovebox/scan-run";
import type { Pin } from "@glovebox/contract";
import { API_VERSION, KIND, type ScanResource, type ScanStatus } from "@glovebox/k8s";
import type { CanaryReference } from "../../canary/protocol.ts";
import { attemptName, podLabels } from "../../kubernetes/ownership.ts";
import { DEFAULT_SCAN_SETTINGS, type ScanSettings } from "../settings.ts";
import type { AttemptView, PolicyView, RowState, World } from "../world.ts";
import type { JobView } from "../../kubernetes/job-view.ts";
import type { PodView } from "../../kubernetes/pod-view.ts";

export const START = new Date("2026-11-21T12:00:00Z");
export const SCAN_ID = "scan-01kahr5zn8v3mwf2c7d9e4x6bq";

/** This many seconds after the Scan was created. */
export const at = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);

export const settings: ScanSettings = { ...DEFAULT_SCAN_SETTINGS, namespace: "glovebox-scans" };

/** The canary that attempts are started beside. */
export const canary: CanaryReference = {
  instance: "0123456789abcdef0123456789abcdef",
  ageMs: 60_000,
  endpoints: [
    { address: "10.0.0.9", port: 8099 },
    { address: "fd00::9", port: 8099 },
  ],
};

export const pins: Pin[] = [
  { host: "api.shop.example", addresses: ["192.0.2.10", "2001:db8::10"], ports: [443, 80] },
  { host: "docs.shop.example", addresses: ["192.0.2.10"], ports: [443] },
];

export const scanResource = (status?: ScanStatus, namespace = "glovebox-scans"): ScanResource => ({
  apiVersion: API_VERSION,
  kind: KIND,
  metadata: {
    name: SCAN_ID,
    namespace,
    uid: "7d0e4b52-0000-4000-8000-000000000001",
    generation: 1,
    creationTimestamp: START.toISOString(),
  },
  spec: { url: "https://api.shop.example/v1", specUrl: "https://docs.shop.example/openapi.json" },
  ...(status && { status }),
});

/** What is the same of all attempts of that Scan. */
export const PART = { scan: scanResource(), scanId: SCAN_ID, namespace: settings.namespace };

const processing: RowState = {
  state: "processing",
  request: {
    url: "https://api.shop.example/v1",
    specUrl: "https://docs.shop.example/openapi.json",
    context: "financial",
  },
};

/** A Scan on record that has a slot and nothing else yet, ten seconds old, unless told otherwise. */
export const world = (changes: Partial<World> & { status?: ScanStatus } = {}): World => {
  const { status, ...rest } = changes;
  return {
    now: at(10),
    settings,
    scan: scanResource(status),
    isDeleted: false,
    isRemoved: false,
    scanId: SCAN_ID,
    row: processing,
    attempts: [],
    policies: [],
    namespaceLabels: { "kubernetes.io/metadata.name": "glovebox-scans" },
    canary,
    slot: "granted",
    responses: {},
    ...rest,
  };
};

/** The policy of an attempt, as it was made. */
export const policySeen: PolicyView = { pins, version: "a-policy/1", isAsMade: true };

/** A pod of the Job of an attempt, with the labels that it has. */
export const podSeen = (changes: Partial<PodView> = {}, number = 1): PodView => ({
  name: "pod",
  createdAt: START,
  families: ["IPv4", "IPv6"],
  labels: {
    ...podLabels(SCAN_ID, number),
    "job-name": attemptName(SCAN_ID, number),
    "controller-uid": jobUid(number),
  },
  ...changes,
});
const jobUid = (number: number): string => `job-${number}`;

export const isolated = (number = 1): AttemptView => ({ number, policy: policySeen, pods: [] });

export const withJob = (
  job: Partial<JobView> = {},
  pods: readonly Partial<PodView>[] = [{}],
  number = 1,
): AttemptView => ({
  ...isolated(number),
  job: { uid: jobUid(number), policy: policySeen.version, canary, createdAt: START, ...job },
  pods: pods.map((pod) => podSeen(pod, number)),
});

export const failedJob = (
  reason: string,
  pods: readonly Partial<PodView>[] = [{}],
  number = 1,
): AttemptView => withJob({ ended: { how: "failed", reason, message: "" } }, pods, number);

export const completeJob = (number = 1): AttemptView => withJob({ ended: { how: "complete" } }, [{}], number);

/** What passes for a report where only its way is of interest. */
export const report = {
  score: 88,
  grade: "B",
  findings: 0,
  isolation: {
    canary: canary.endpoints[0]!,
    canaries: [...canary.endpoints],
    connected: 0,
    attempts: 1,
    provenAt: START.toISOString(),
    elapsedMs: 3,
  },
  index: { findings: [], checks: [], coverage: { categories: 1, operations: 1 } },
  body: new Uint8Array(),
} satisfies DeliveredReport;
