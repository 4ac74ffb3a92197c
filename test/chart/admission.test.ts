import { describe, expect, test } from "vitest";
import { EXTERNAL, type Manifest, find, render, renderAs } from "./helm.ts";

const POLICIES = ["glovebox-identities.glovebox", "glovebox-scan-jobs.glovebox"];
const isAdmission = ({ kind }: Manifest): boolean => kind.startsWith("ValidatingAdmissionPolicy");

describe("the admission policies", () => {
  test("deny, fail closed, and have a binding each", () => {
    const manifests = render(EXTERNAL);
    expect(manifests.filter(isAdmission)).toHaveLength(4);
    for (const name of POLICIES) {
      expect(find(manifests, "ValidatingAdmissionPolicy", name)["spec"].failurePolicy).toBe("Fail");
      expect(find(manifests, "ValidatingAdmissionPolicyBinding", name)["spec"]).toEqual({
        policyName: name,
        validationActions: ["Deny"],
      });
    }
  });

  test("concern the service accounts of this release, wherever they write, and nobody else", () => {
    const manifests = renderAs(
      { ...EXTERNAL, api: { serviceAccount: { name: "theirs" } } },
      "glovebox",
      "security",
    );
    const conditions = manifests
      .filter(({ kind }) => kind === "ValidatingAdmissionPolicy")
      .flatMap(({ spec }) => spec.matchConditions.map(({ expression }: Manifest) => expression));
    const controller = "system:serviceaccount:security:glovebox-controller";
    expect(conditions).toEqual([
      `request.userInfo.username in ['system:serviceaccount:security:theirs', '${controller}']`,
      `request.userInfo.username == '${controller}'`,
    ]);
  });

  test("permit Secrets in the scan namespace alone", () => {
    const { spec } = find(
      render({ ...EXTERNAL, scanNamespace: { name: "scans" } }),
      "ValidatingAdmissionPolicy",
      POLICIES[0]!,
    );
    expect(spec.validations.map(({ expression }: Manifest) => expression)).toContain(
      "request.namespace == 'scans'",
    );
  });

  test("the admission policies are not rendered with identities.admissionPolicies: false", () => {
    const manifests = render({ ...EXTERNAL, identities: { admissionPolicies: false } });
    expect(manifests.filter(isAdmission)).toEqual([]);
  });
});
