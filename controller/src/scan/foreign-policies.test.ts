import { LABELS } from "@glovebox/k8s";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ANY_SCAN, egressWidenedBy, type PolicyObject, selectedScan } from "./foreign-policies.ts";
import { selects } from "./label-selector.ts";
import { podLabels } from "./names.ts";
import { policyManifest } from "./policy-manifest.ts";
import { SCAN_ID, pins, scanResource } from "./testing/worlds.ts";

const namespace = "glovebox-scans";
const pod = {
  namespace,
  namespaceLabels: { "kubernetes.io/metadata.name": namespace, team: "security" },
  podLabels: podLabels(SCAN_ID, 1),
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
  test("that opens egress is named by kind, namespace and name", () => {
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
  ])("that opens egress %s widens the seal", (_, rule) => {
    expect(widens(policy({ ...everything, egress: [pinned, rule] }))).toBeDefined();
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
  ])("that %s leaves the seal as it is", (_, harmless) => {
    expect(widens(harmless)).toBeUndefined();
  });

  test("without policyTypes is about egress when it has egress rules", () => {
    expect(widens(policy({ podSelector: {}, egress: [{}] }))).toBeDefined();
  });

  test("of our own is no offender, until somebody opens it", () => {
    const own = policyManifest({ scan: scanResource(), scanId: SCAN_ID, attempt: 1, pins });
    const asObject = own as unknown as PolicyObject;
    expect(widens(asObject)).toBeUndefined();
    const opened = { ...asObject, spec: { ...own.spec, egress: [...own.spec!.egress!, {}] } };
    expect(widens(opened)).toBe(`NetworkPolicy ${namespace}/${SCAN_ID}-1`);
  });

  test("after harmless ones is found", () => {
    const base = policy({ podSelector: {}, policyTypes: ["Egress"] });
    const open = policy({ ...everything, egress: [{}] }, { metadata: { name: "open", namespace } });
    expect(widens(base, open)).toBe("NetworkPolicy glovebox-scans/open");
  });
});

describe("a label selector", () => {
  const labels = { app: "a", tier: "b" };
  test.each<[string, Parameters<typeof selects>[0], boolean]>([
    ["nothing", {}, true],
    ["an equal label", { matchLabels: { app: "a" } }, true],
    ["one of two unequal", { matchLabels: { app: "a", tier: "c" } }, false],
    ["In with the value", { matchExpressions: [{ key: "app", operator: "In", values: ["a", "z"] }] }, true],
    ["In without the key", { matchExpressions: [{ key: "no", operator: "In", values: ["a"] }] }, false],
    ["NotIn with the value", { matchExpressions: [{ key: "app", operator: "NotIn", values: ["a"] }] }, false],
    ["NotIn without the key", { matchExpressions: [{ key: "no", operator: "NotIn", values: ["a"] }] }, true],
    ["Exists", { matchExpressions: [{ key: "app", operator: "Exists" }] }, true],
    ["Exists without the key", { matchExpressions: [{ key: "toString", operator: "Exists" }] }, false],
    ["DoesNotExist", { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }, false],
    ["an operator of the future", { matchExpressions: [{ key: "app", operator: "Like" }] }, true],
    [
      "labels and an expression",
      { matchLabels: { app: "a" }, matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] },
      false,
    ],
  ])("of %s selects: %s", (_, selector, expected) => {
    expect(selects(selector, labels)).toBe(expected);
  });

  test("with a requirement added never selects more", () => {
    const keys = fc.constantFrom("app", "tier", "no");
    const values = fc.constantFrom("a", "b");
    const expression = fc.record({
      key: keys,
      operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"),
      values: fc.array(values, { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(expression), expression, (some, one) => {
        const before = selects({ matchExpressions: some }, labels);
        expect(before || !selects({ matchExpressions: [...some, one] }, labels)).toBe(true);
      }),
    );
  });
});

const cilium = (spec: unknown, kind = "CiliumNetworkPolicy") =>
  policy(spec, { apiVersion: "cilium.io/v2", kind });
const toWorld = [{ toEntities: ["world"] }];
const scanner = { "k8s:app.kubernetes.io/name": "glovebox-scanner" };
describe("a Cilium policy", () => {
  test.each<[string, PolicyObject, boolean]>([
    ["for all endpoints to the world", cilium({ endpointSelector: {}, egress: toWorld }), true],
    [
      "for our label with its source",
      cilium({ endpointSelector: { matchLabels: scanner }, egress: toWorld }),
      true,
    ],
    [
      "for another label",
      cilium({ endpointSelector: { matchLabels: { "k8s:app": "x" } }, egress: toWorld }),
      false,
    ],
    ["that denies egress", cilium({ endpointSelector: {}, egressDeny: toWorld }), false],
    [
      "with an empty egress rule, which allows nothing",
      cilium({ endpointSelector: {}, egress: [{}] }),
      false,
    ],
    ["for nodes", cilium({ nodeSelector: {}, egress: toWorld }, "CiliumClusterwideNetworkPolicy"), false],
    [
      "for all of the cluster in our namespace",
      {
        ...cilium(
          {
            endpointSelector: { matchLabels: { "k8s:io.kubernetes.pod.namespace": namespace } },
            egress: toWorld,
          },
          "CiliumClusterwideNetworkPolicy",
        ),
        metadata: { name: "other" },
      },
      true,
    ],
    [
      "for namespaces with a label of ours",
      cilium({
        endpointSelector: { matchLabels: { "k8s:io.cilium.k8s.namespace.labels.team": "security" } },
        egress: toWorld,
      }),
      true,
    ],
    [
      "among several specs of one object",
      { ...cilium(undefined), specs: [{ endpointSelector: {} }, { endpointSelector: {}, egress: toWorld }] },
      true,
    ],
  ])("%s widens: %s", (_, object, expected) => {
    expect(widens(object) !== undefined).toBe(expected);
  });
});

const calico = (selector: string | undefined, egress: object[], types?: string[]) =>
  policy(
    { selector, egress, types },
    { apiVersion: "crd.projectcalico.org/v1", kind: "GlobalNetworkPolicy", metadata: { name: "other" } },
  );
const allow = [{ action: "Allow" }];
describe("a Calico policy", () => {
  test.each<[string, PolicyObject, boolean]>([
    ["without a selector", calico(undefined, allow), true],
    ["for all()", calico("all()", allow), true],
    ["for our name", calico("app.kubernetes.io/name == 'glovebox-scanner'", allow), true],
    ["for another name", calico("app.kubernetes.io/name == 'shop'", allow), false],
    ["for all but us", calico('app.kubernetes.io/name != "glovebox-scanner"', allow), false],
    ["for pods that have our label", calico("has(glovebox.dev/scan)", allow), true],
    ["for pods without our label", calico("!has(glovebox.dev/scan)", allow), false],
    ["for a set with our name", calico("app.kubernetes.io/name in {'a', 'glovebox-scanner'}", allow), true],
    [
      "for all but a set with our name",
      calico("app.kubernetes.io/name not in {'glovebox-scanner'}", allow),
      false,
    ],
    ["for two terms, one of which fails", calico("all() && app == 'x'", allow), false],
    ["for alternatives, which are not read", calico("app == 'x' || app == 'y'", allow), true],
    ["in brackets, which are not read", calico("(app == 'x')", allow), true],
    ["that denies", calico("all()", [{ action: "Deny" }]), false],
    ["that passes on", calico("all()", [{ action: "Pass" }]), true],
    ["about ingress only", calico("all()", allow, ["Ingress"]), false],
  ])("%s widens: %s", (_, object, expected) => {
    expect(widens(object) !== undefined).toBe(expected);
  });
});

const admin = (spec: object, kind = "AdminNetworkPolicy") =>
  policy(spec, { apiVersion: "policy.networking.k8s.io/v1alpha1", kind, metadata: { name: "other" } });
const ours = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
const theirs = { matchLabels: { "kubernetes.io/metadata.name": "x" } };
describe("an AdminNetworkPolicy or ClusterNetworkPolicy", () => {
  test.each<[string, PolicyObject, boolean]>([
    ["that allows from all namespaces", admin({ subject: { namespaces: {} }, egress: allow }), true],
    ["that allows from ours", admin({ subject: { namespaces: ours }, egress: allow }), true],
    ["that allows from another", admin({ subject: { namespaces: theirs }, egress: allow }), false],
    [
      "that allows from our pods",
      admin({ subject: { pods: { namespaceSelector: ours, podSelector: {} } }, egress: allow }),
      true,
    ],
    [
      "that allows from other pods",
      admin({
        subject: { pods: { namespaceSelector: ours, podSelector: { matchLabels: { a: "b" } } } },
        egress: allow,
      }),
      false,
    ],
    ["that denies", admin({ subject: { namespaces: {} }, egress: [{ action: "Deny" }] }), false],
    [
      "that passes on to NetworkPolicies",
      admin({ subject: { namespaces: {} }, egress: [{ action: "Pass" }] }),
      false,
    ],
    [
      "that accepts",
      admin(
        { tier: "Admin", subject: { namespaces: {} }, egress: [{ action: "Accept" }] },
        "ClusterNetworkPolicy",
      ),
      true,
    ],
    [
      "of the baseline",
      admin(
        { tier: "Baseline", subject: { namespaces: {} }, egress: [{ action: "Accept" }] },
        "ClusterNetworkPolicy",
      ),
      false,
    ],
  ])("%s widens: %s", (_, object, expected) => {
    expect(widens(object) !== undefined).toBe(expected);
  });
});

test("whichever NetworkPolicy opens more for a scan's pod is among those that may select its scan", () => {
  const labels = fc.dictionary(
    fc.constantFrom(LABELS.scan, LABELS.attempt, "team"),
    fc.constantFrom("scan-1", "scan-2", ""),
  );
  const expressions = fc.array(
    fc.record({
      key: fc.constantFrom(LABELS.scan, "team"),
      operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Odd"),
      values: fc.subarray(["scan-1", "scan-2"]),
    }),
    { maxLength: 2 },
  );
  fc.assert(
    fc.property(labels, expressions, (matchLabels, matchExpressions) => {
      const policy: PolicyObject = {
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: { name: "open", namespace: "scans" },
        spec: { podSelector: { matchLabels, matchExpressions }, policyTypes: ["Egress"], egress: [{}] },
      };
      const sealed = { [LABELS.scan]: "scan-1", [LABELS.attempt]: "1", team: "scan-2" };
      const inScans = { namespace: "scans", namespaceLabels: {}, podLabels: sealed, pins: [] };
      if (egressWidenedBy([policy], inScans)) expect(["scan-1", ANY_SCAN]).toContain(selectedScan(policy));
    }),
  );
});
