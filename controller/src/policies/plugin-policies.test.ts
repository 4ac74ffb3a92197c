import { describe, expect, test } from "vitest";
import { egressWidenedBy, type PolicyObject } from "./conflicting-policies.ts";
import { expectedLabels } from "../kubernetes/ownership.ts";
import { pins, SCAN_ID } from "../scan/testing/worlds.ts";

const namespace = "glovebox-scans";
const pod = {
  namespace,
  namespaceLabels: { "kubernetes.io/metadata.name": namespace, team: "security" },
  podLabels: expectedLabels(SCAN_ID, 1),
  serviceAccount: "scanner",
  pins,
};
const policy = (spec: unknown, changes: Partial<PolicyObject>): PolicyObject => ({
  apiVersion: "v1",
  kind: "Policy",
  metadata: { name: "other", namespace },
  spec,
  ...changes,
});
const widens = (...policies: PolicyObject[]) => egressWidenedBy(policies, pod);

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
    ...Object.entries({
      "a label of the Job's": [{ "k8s:job-name": "other" }, true],
      "its service account": [{ "io.cilium.k8s.policy.serviceaccount": "scanner" }, true],
      "another service account": [{ "io.cilium.k8s.policy.serviceaccount": "shop" }, false],
      "the name of the cluster": [{ "k8s:io.cilium.k8s.policy.cluster": "default" }, true],
      "a label that our namespace does not have": [{ "k8s:io.cilium.k8s.namespace.labels.no": "x" }, false],
      "a label of any source": [{ "any:app.kubernetes.io/name": "glovebox-scanner" }, true],
      "a label of another source": [{ "container:app": "x" }, true],
      "a label of Cilium's own": [{ "reserved:init": "" }, true],
      "a label whose key begins like a source": [{ "k8s.io/app": "x" }, false],
    } as const).map(([what, [matchLabels, expected]]): [string, PolicyObject, boolean] => [
      `by ${what}`,
      cilium({ endpointSelector: { matchLabels }, egress: toWorld }),
      expected,
    ]),
    [
      "for pods without a label of ours that operators exclude from identities",
      cilium({
        endpointSelector: { matchExpressions: [{ key: "glovebox.dev/scan", operator: "DoesNotExist" }] },
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
    ["for alternatives that are others", calico("app == 'x' || app == 'y'", allow), false],
    ["for Jobs, by the label of their controller", calico("has(job-name)", allow), true],
    ["for another Job, whose uid ours may get", calico("controller-uid == 'x'", allow), true],
    ["for what cannot be parsed", calico("app =~ 'x'", allow), true],
    [
      "for our namespace, by its label on pods",
      calico(`projectcalico.org/namespace == '${namespace}'`, allow),
      true,
    ],
    [
      "for another namespace, by its label on pods",
      calico("projectcalico.org/namespace == 'shop'", allow),
      false,
    ],
    ["for pods of Kubernetes", calico("projectcalico.org/orchestrator == 'k8s'", allow), true],
    ["for our service account", calico("projectcalico.org/serviceaccount == 'scanner'", allow), true],
    ["for another service account", calico("projectcalico.org/serviceaccount == 'x'", allow), false],
    ["for a label of Calico's that is not known", calico("projectcalico.org/name == 'x'", allow), true],
    ["for a label that pods inherit of our namespace", calico("pcns.team == 'security'", allow), true],
    ["for a label that pods inherit of others", calico("pcns.team == 'shop'", allow), false],
    ["for a label of service accounts, which are not read", calico("pcsa.team == 'shop'", allow), true],
    ["that denies", calico("all()", [{ action: "Deny" }]), false],
    ["that passes on", calico("all()", [{ action: "Pass" }]), true],
    ["about ingress only", calico("all()", allow, ["Ingress"]), false],
  ])("%s widens: %s", (_, object, expected) => {
    expect(widens(object) !== undefined).toBe(expected);
  });
});

const within = (spec: object) =>
  policy(
    { egress: allow, ...spec },
    { apiVersion: "projectcalico.org/v3", kind: "GlobalNetworkPolicy", metadata: { name: "other" } },
  );
describe("a Calico policy for namespaces or service accounts", () => {
  test.each<[string, object, boolean]>([
    ["of our label", { namespaceSelector: "team == 'security'" }, true],
    ["of another label", { namespaceSelector: "team == 'shop'" }, false],
    ["of our name", { namespaceSelector: `projectcalico.org/name == '${namespace}'` }, true],
    ["of another name", { namespaceSelector: "projectcalico.org/name in {'a', 'b'}" }, false],
    ["without our label", { namespaceSelector: "!has(team)" }, false],
    ["all()", { namespaceSelector: "all()" }, true],
    ["global(), which pods are not", { namespaceSelector: "global()" }, false],
    [
      "that are ours, and pods that are not",
      { namespaceSelector: "all()", selector: "app == 'shop'" },
      false,
    ],
    [
      "of our service account's name",
      { serviceAccountSelector: "projectcalico.org/name == 'scanner'" },
      true,
    ],
    ["of another service account", { serviceAccountSelector: "projectcalico.org/name == 'shop'" }, false],
    ["of a label of service accounts", { serviceAccountSelector: "role == 'shop'" }, true],
    ["of no label of service accounts", { serviceAccountSelector: "!has(role)" }, true],
  ])("%s widens: %j, %s", (_, spec, expected) => {
    expect(widens(within(spec)) !== undefined).toBe(expected);
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
