import type { NotedWrite } from "@glovebox/contract";
import { LABELS, scanIdOf, type ScanResource, SCANS } from "@glovebox/k8s";
import { collectionPath, type KubeObject, FenceLostError, byLabel, createObjectStore } from "@glovebox/kube";
import { FakeKubeApiserver } from "@glovebox/kube/testing";
import type { Attestation } from "../../canary/canaries.ts";
import type { CanaryReference } from "../../canary/protocol.ts";
import { createKubeApi, type Job, type NetworkPolicy, type Pod } from "../../kubernetes/api-client.ts";
import type { PerformDeps } from "../commands.ts";
import type { PolicyObject } from "../../policies/conflicting-policies.ts";
import { BY_JOB, byJob } from "../../kubernetes/ownership.ts";
import type { QueryDeps } from "../queries.ts";
import { type ReconcileDeps, reconciler } from "../reconcile.ts";
import { BY_SCAN_ID } from "../../caches/scan-cache.ts";
import { Slots } from "../slots.ts";
import type { ReportResponse, TargetResponse } from "../world.ts";
import { FakeStore } from "./fake-store.ts";
import { canary, pins, settings } from "./worlds.ts";

/** Soon after the moment at which the API server for tests creates everything. */
const NOW = new Date("2026-03-01T00:00:10Z").getTime();
const NAMESPACE = "glovebox-scans";
const JOBS = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
const POLICIES = `/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/networkpolicies`;
const SCANS_PATH = collectionPath(SCANS, NAMESPACE);

/** A reconciler over an API server and a store for tests, with caches that see what they are shown. */
export async function reconciling() {
  const server = await FakeKubeApiserver.start();
  const client = server.client();
  const store = new FakeStore();
  const state = {
    holdsLead: true,
    canary: canary as CanaryReference | undefined,
    attestation: { alive: true } as Attestation,
    assertPoliciesRead: async (): Promise<void> => undefined,
    /** Milliseconds that have passed. */
    passed: 0,
    account: undefined as string | undefined,
    accounts: ["shop", "nobody"] as readonly string[],
    targets: undefined as readonly string[] | undefined,
    target: { ok: true, pins } as TargetResponse,
    /** In the log of the pod. */
    writes: [] as NotedWrite[],
    report: { attempt: 1, how: "lost", detail: "Its log was deleted." } as ReportResponse,
  };
  const now = () => new Date(NOW + state.passed);
  const clock = { now, monotonic: () => state.passed };
  const byScan = { [LABELS.scan]: byLabel(LABELS.scan) };
  const caches = {
    scans: createObjectStore<ScanResource>({ [BY_SCAN_ID]: (scan) => [scanIdOf(scan)] }),
    jobs: createObjectStore<Job>(byScan),
    pods: createObjectStore<Pod>({ [BY_JOB]: byJob }),
    networkPolicies: createObjectStore<NetworkPolicy>(byScan),
    policies: () => caches.networkPolicies.list() as readonly PolicyObject[],
    namespaceLabels: () => undefined,
  };
  const slots = new Slots({
    ...caches,
    limits: { total: 1, perAccount: 1, perHost: 1 },
    defaultAccount: () => undefined,
  });
  const facts = async () => ({
    ...{ uid: "here", labels: {}, account: state.account },
    accounts: new Set(state.accounts),
    targets: state.targets,
    identities: new Set<string>(),
  });
  const fence = {
    signal: new AbortController().signal,
    assertHeld: () => {
      if (!state.holdsLead) throw new FenceLostError();
    },
  };
  const api = createKubeApi(client.transport, fence);
  const followed: [string, number][] = [];
  const performing: PerformDeps = {
    api,
    store,
    fence,
    pod: { image: "scanner:1", resources: { cpu: "1", memory: "1Gi", ephemeralStorage: "1Gi" } },
    namespaceFacts: facts,
    now,
    scans: api.objectsOf<ScanResource>(SCANS),
    limitRecordings: (task) => task(),
    readWrites: async () => state.writes,
    followProgress: (scanId, attempt) => void followed.push([scanId, attempt]),
  };
  const queryDeps: QueryDeps = {
    api,
    now,
    resolveTarget: async () => state.target,
    attestCanary: async () => state.attestation,
    readReport: async () => state.report,
    latestWarning: (about) => api.latestWarning(about),
  };
  const decided: string[] = [];
  const deps: ReconcileDeps = {
    performing,
    queryDeps,
    observing: {
      caches,
      settings,
      namespaceFacts: facts,
      slots,
      canary: () => state.canary,
      followedAttempt: (id) => followed.findLast(([scanId]) => scanId === id)?.[1],
      findRow: (id) => store.work.find(id),
      clock,
    },
    assertPoliciesRead: () => state.assertPoliciesRead(),
    find: (key) => {
      const scan = caches.scans.get(key);
      return scan && { scan, isTombstone: false };
    },
    forget: () => undefined,
    observer: { decided: ({ rule }) => void decided.push(rule), performed: () => undefined },
  };
  const reconcile = reconciler(deps);
  return {
    server,
    store,
    state,
    caches,
    performing,
    queryDeps,
    followed,
    jobs: server.collection(JOBS),
    policies: server.collection(POLICIES),
    scans: server.collection(SCANS_PATH),
    /** Shows the caches what the server has, and looks at the Scan; gives the rules that decided. */
    async look(name: string): Promise<string[]> {
      show(caches.scans, server.collection(SCANS_PATH).objects.values());
      show(caches.jobs, server.collection(JOBS).objects.values());
      show(caches.networkPolicies, server.collection(POLICIES).objects.values());
      slots.refreshAll();
      await reconcile(`${NAMESPACE}/${name}`);
      return decided.splice(0);
    },
    reconcile,
    /** The rule that decided last, since the last look. */
    decidedLast: () => decided.at(-1),
    async [Symbol.asyncDispose]() {
      client.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const KINDS: Readonly<Record<string, string>> = { "networking.k8s.io/v1": "NetworkPolicy" };

function show(
  cache: { put(object: never): void; delete(key: string): void; keys(): readonly string[] },
  objects: Iterable<object>,
): void {
  for (const key of cache.keys()) cache.delete(key);
  for (const object of objects) {
    const { apiVersion = "" } = object as KubeObject;
    cache.put({ ...object, ...(KINDS[apiVersion] && { kind: KINDS[apiVersion] }) } as never);
  }
}
