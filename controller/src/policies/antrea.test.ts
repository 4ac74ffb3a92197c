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

const allow = [{ action: "Allow" }];
const antrea = (spec: object, kind = "ClusterNetworkPolicy") =>
  policy(spec, { apiVersion: "crd.antrea.io/v1beta1", kind, metadata: { name: "other" } });
const applied = (...appliedTo: object[]) => antrea({ appliedTo, egress: allow });
const named = (name: string) => ({ matchLabels: { "app.kubernetes.io/name": name } });
const inNamespace = (name: string) => ({ matchLabels: { "kubernetes.io/metadata.name": name } });
describe("an Antrea policy", () => {
  test.each<[string, PolicyObject, boolean]>([
    ["applied to all pods", applied({ podSelector: {} }), true],
    ["applied to ours", applied({ podSelector: named("glovebox-scanner") }), true],
    ["applied to others", applied({ podSelector: named("shop") }), false],
    ["applied to our namespace", applied({ namespaceSelector: inNamespace(namespace) }), true],
    ["applied to another namespace", applied({ namespaceSelector: inNamespace("shop") }), false],
    [
      "applied to our pods of another namespace",
      applied({ podSelector: named("glovebox-scanner"), namespaceSelector: inNamespace("shop") }),
      false,
    ],
    ["applied to others and to us", applied({ podSelector: named("shop") }, { podSelector: {} }), true],
    ["applied to our service account", applied({ serviceAccount: { name: "scanner", namespace } }), true],
    [
      "applied to its namesake elsewhere",
      applied({ serviceAccount: { name: "scanner", namespace: "shop" } }),
      false,
    ],
    ["applied to a group, whose members are not known", applied({ group: "some" }), true],
    ["applied to nodes", applied({ nodeSelector: {} }), false],
    ["applied to what is not known yet", applied({ novelty: {} }), true],
    ["applied to nothing", applied({}), true],
    ["applied nowhere", antrea({ egress: allow }), true],
    [
      "with a separate rule for us",
      antrea({
        egress: [
          { action: "Drop", appliedTo: [{ podSelector: {} }] },
          { action: "Allow", appliedTo: [{ podSelector: named("glovebox-scanner") }] },
        ],
      }),
      true,
    ],
    [
      "whose rule for us drops, and whose rule for others allows",
      antrea({
        egress: [
          { action: "Drop", appliedTo: [{ podSelector: {} }] },
          { action: "Allow", appliedTo: [{ podSelector: named("shop") }] },
        ],
      }),
      false,
    ],
    ...["Drop", "Reject", "Pass"].map((action): [string, PolicyObject, boolean] => [
      `whose rule says ${action}`,
      antrea({ appliedTo: [{ podSelector: {} }], egress: [{ action }] }),
      false,
    ]),
    ["without an action", antrea({ appliedTo: [{ podSelector: {} }], egress: [{}] }), true],
    ["about ingress only", antrea({ appliedTo: [{ podSelector: {} }], ingress: allow }), false],
    ["of the baseline", antrea({ tier: "baseline", appliedTo: [{ podSelector: {} }], egress: allow }), false],
    [
      "of our namespace",
      {
        ...antrea({ appliedTo: [{ podSelector: {} }], egress: allow }, "NetworkPolicy"),
        metadata: { name: "other", namespace },
      },
      true,
    ],
    [
      "of another namespace",
      {
        ...antrea({ appliedTo: [{ podSelector: {} }], egress: allow }, "NetworkPolicy"),
        metadata: { name: "other", namespace: "shop" },
      },
      false,
    ],
  ])("%s widens: %s", (_, object, expected) => {
    expect(widens(object) !== undefined).toBe(expected);
  });
});
