import { LABELS } from "@glovebox/k8s";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANY_SCAN, egressWidenedBy, type PolicyObject, selectedScan } from "./conflicting-policies.ts";
import { viewOf } from "../kubernetes/label-selector.ts";
import { policyManifest } from "../scan/manifests.ts";
import { expectedLabels, JOB_LABELS, podLabels } from "../kubernetes/ownership.ts";
import { PART, pins, SCAN_ID } from "../scan/testing/worlds.ts";

const namespace = "glovebox-scans";
const pod = {
  namespace,
  namespaceLabels: { "kubernetes.io/metadata.name": namespace, team: "security" },
  podLabels: expectedLabels(SCAN_ID, 1),
  serviceAccount: "scanner",
  pins,
};
const policy = (spec: unknown, changes: Partial<PolicyObject> = {}): PolicyObject => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "other", namespace },
  spec,
  ...changes,
});
const widens = (...policies: PolicyObject[]) => egressWidenedBy(policies, pod);
const pinned = { to: [{ ipBlock: { cidr: "192.0.2.10/32" } }], ports: [{ protocol: "TCP", port: 443 }] };
const everything = { podSelector: {}, policyTypes: ["Egress"] };

describe("a NetworkPolicy", () => {
  test("a NetworkPolicy that opens egress is named by kind, namespace and name", () => {
    expect(widens(policy({ ...everything, egress: [{}] }))).toBe("NetworkPolicy glovebox-scans/other");
  });

  test.each<[string, object]>([
    ["to everywhere", {}],
    ["to every port of the target", { to: pinned.to }],
    ["to the target's port everywhere", { ports: pinned.ports }],
    ["to another address", { ...pinned, to: [{ ipBlock: { cidr: "192.0.2.11/32" } }] }],
    ["to a range around the target", { ...pinned, to: [{ ipBlock: { cidr: "192.0.2.0/24" } }] }],
    ["to another port of the target", { ...pinned, ports: [{ protocol: "TCP", port: 22 }] }],
    ["to UDP at the target", { ...pinned, ports: [{ protocol: "UDP", port: 443 }] }],
    ["to a named port", { ...pinned, ports: [{ port: "https" }] }],
    ["to a range of ports", { ...pinned, ports: [{ port: 443, endPort: 444 }] }],
    ["to pods, as for DNS", { to: [{ namespaceSelector: {} }], ports: [{ protocol: "UDP", port: 53 }] }],
    ["to the target and another", { ...pinned, to: [...pinned.to, { ipBlock: { cidr: "10.0.0.1/32" } }] }],
  ])("a NetworkPolicy that opens egress %s weakens the isolation", (_, rule) => {
    expect(widens(policy({ ...everything, egress: [pinned, rule] }))).toBeDefined();
  });

  test("a NetworkPolicy that opens an endpoint of a Service widens nothing, and one at another port does", () => {
    const backends = [{ address: "10.1.0.5", port: 8443 }];
    const ofService = { ...pod, pins: [{ ...pins[0]!, backends }] };
    const opening = (port: number) =>
      policy({
        ...everything,
        egress: [{ to: [{ ipBlock: { cidr: "10.1.0.5/32" } }], ports: [{ protocol: "TCP", port }] }],
      });
    expect(egressWidenedBy([opening(8443)], ofService)).toBeUndefined();
    expect(egressWidenedBy([opening(443)], ofService)).toBeDefined();
    expect(widens(opening(8443))).toBeDefined();
  });

  test.each<[string, PolicyObject]>([
    ["denies everything, as the base does", policy({ podSelector: {}, policyTypes: ["Ingress", "Egress"] })],
    ["opens ingress only", policy({ podSelector: {}, ingress: [{}] })],
    ["opens what is pinned", policy({ ...everything, egress: [pinned] })],
    [
      "has egress rules without being about egress",
      policy({ podSelector: {}, policyTypes: ["Ingress"], egress: [{}] }),
    ],
    [
      "selects other pods",
      policy({ ...everything, podSelector: { matchLabels: { app: "x" } }, egress: [{}] }),
    ],
    [
      "is in another namespace",
      policy({ ...everything, egress: [{}] }, { metadata: { name: "other", namespace: "x" } }),
    ],
    [
      "is of a kind that opens nothing",
      policy(
        { egress: [{}] },
        { kind: "BaselineAdminNetworkPolicy", apiVersion: "policy.networking.k8s.io/v1alpha1" },
      ),
    ],
  ])("a NetworkPolicy that %s leaves the isolation as it is", (_, harmless) => {
    expect(widens(harmless)).toBeUndefined();
  });

  test("a NetworkPolicy without policyTypes is about egress when it has egress rules", () => {
    expect(widens(policy({ podSelector: {}, egress: [{}] }))).toBeDefined();
  });

  test("a NetworkPolicy of our own is not an offender, until somebody opens it", () => {
    const own = policyManifest({ ...PART, attempt: 1, pins });
    const asObject = own as unknown as PolicyObject;
    expect(widens(asObject)).toBeUndefined();
    const opened = { ...asObject, spec: { ...own.spec, egress: [...own.spec!.egress!, {}] } };
    expect(widens(opened)).toBe(`NetworkPolicy ${namespace}/${SCAN_ID}-1`);
  });

  test("a NetworkPolicy after harmless ones is found", () => {
    const base = policy({ podSelector: {}, policyTypes: ["Egress"] });
    const open = policy({ ...everything, egress: [{}] }, { metadata: { name: "open", namespace } });
    expect(widens(base, open)).toBe("NetworkPolicy glovebox-scans/open");
  });
});

describe("the policies that are looked at for one scan", () => {
  const ours = ["scan-1", "scan-1-1"];
  const values = fc.constantFrom(...ours, "scan-2", "scan-2-1", "uid", "");
  const keys = fc.constantFrom(LABELS.scan, LABELS.attempt, "team", ...JOB_LABELS);
  const expressions = fc.array(
    fc.record({
      key: keys,
      operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Odd"),
      values: fc.array(values, { maxLength: 2 }),
    }),
    { maxLength: 2 },
  );
  /** Before there is a Job, before there is a pod, and a pod whose labels admission has added to. */
  const pods = fc.oneof(
    fc.constant(expectedLabels("scan-1", 1)),
    fc.constant(expectedLabels("scan-1", 1, "uid")),
    fc
      .dictionary(fc.constantFrom("team", ...JOB_LABELS), values)
      .map((added) => viewOf({ ...added, ...podLabels("scan-1", 1) })),
  );

  test("the policies that are looked at for one scan are all that open more for its pod, with any labels", () => {
    fc.assert(
      fc.property(fc.dictionary(keys, values), expressions, pods, (matchLabels, matchExpressions, labels) => {
        const open = policy({ ...everything, podSelector: { matchLabels, matchExpressions }, egress: [{}] });
        if (egressWidenedBy([open], { ...pod, podLabels: labels }))
          expect(["scan-1", ANY_SCAN]).toContain(selectedScan(open));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a NetworkPolicy that selects by labels that others add", () => {
  const by = (...matchExpressions: object[]) =>
    policy({ ...everything, podSelector: { matchExpressions }, egress: [{}] });
  test.each<[string, object, boolean]>([
    ["the name of a Job", { key: "job-name", operator: "Exists" }, true],
    [
      "the name of its Job",
      { key: "batch.kubernetes.io/job-name", operator: "In", values: [`${SCAN_ID}-1`] },
      true,
    ],
    ["the name of another Job", { key: "job-name", operator: "In", values: ["other"] }, false],
    ["that it is of no Job", { key: "job-name", operator: "DoesNotExist" }, false],
    ["the uid of some Job", { key: "controller-uid", operator: "Exists" }, true],
    [
      "the uid of one Job, which may become its own",
      { key: "controller-uid", operator: "In", values: ["x"] },
      true,
    ],
    ["a label that admission might add", { key: "team", operator: "Exists" }, false],
  ])("opens for a pod that is still to come, by %s: %s", (_, expression, expected) => {
    expect(widens(by(expression)) !== undefined).toBe(expected);
  });

  test("opens for a pod exactly when the pod has them", () => {
    const offender = (labels: Record<string, string>) =>
      egressWidenedBy([by({ key: "team", operator: "In", values: ["shop"] })], {
        ...pod,
        podLabels: viewOf(labels),
      });
    expect(offender({ team: "shop" })).toBe(`NetworkPolicy ${namespace}/other`);
    expect(offender({ team: "other" })).toBeUndefined();
    expect(offender({})).toBeUndefined();
  });

  test("opens for a Job's pod by the uid of that Job and of no other", () => {
    const podLabels = expectedLabels(SCAN_ID, 1, "its-own");
    const offender = (uid: string) =>
      egressWidenedBy([by({ key: "controller-uid", operator: "In", values: [uid] })], { ...pod, podLabels });
    expect(offender("its-own")).toBeDefined();
    expect(offender("another")).toBeUndefined();
  });
});
