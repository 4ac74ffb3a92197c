import { defineCheck, fail, inconclusive, pass, type TargetProfile } from "../../engine/check.ts";
import { isBlocked, withoutMeaning } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

export default defineCheck({
  id: "inventory-management/documented-but-absent",
  kind: "differential",
  category: "inventoryManagement",
  title: "Documented endpoint missing (specification drift)",
  severity: "info",
  confidence: "tentative",
  description:
    "A documented operation is not deployed. Reviews, tests and gateway rules that rely on an outdated document miss what is deployed, and an attacker benefits from the gap.",
  rule: "The operation returns the same 404 as a random path, while another documented operation does not.",
  control: "A random path of the same form.",
  remediation: "Generate the document from the deployed code, and compare them in each release.",
  references: { cwe: 1059, owasp: "API9:2023" },

  subjects: (profile) => spread(documented(profile)),
  notApplicable: "No document declares a read operation.",

  async examine(operation, probe) {
    const request = await probe.withRealIds(operation);
    const missing = await probe.missing(request);
    const response = await probe.attack(request);
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    if (response.status !== 404 || !areSimilar(response, missing)) return pass();
    if (operation.idParameter && !(await saysOtherwiseOfObjects(operation, probe)))
      return inconclusive("A nonexistent object gets the same response as a nonexistent path.");
    return (await isOtherHandled(operation, probe))
      ? fail("It returned 404.")
      : inconclusive("No documented operation was found: the base path may be wrong.");
  },
});

const documented = (profile: TargetProfile): readonly Operation[] =>
  profile.document ? reads(profile).filter(({ facts }) => facts.source === "spec") : [];

/** Whether this host distinguishes a missing object from a missing path; only then does a 404 show that the path is missing. */
async function saysOtherwiseOfObjects(operation: Operation, probe: Probe): Promise<boolean> {
  const others = documented(probe.profile).filter((other) => other.idParameter && other !== operation);
  for (const other of spread(others).slice(0, 3)) {
    const none = await probe.baseline(await probe.withNoObject(other));
    if (none.status === 404) return !areSimilar(none, await probe.missing(none.request));
  }
  return false;
}

async function isOtherHandled(operation: Operation, probe: Probe): Promise<boolean> {
  const others = documented(probe.profile).filter((each) => each !== operation);
  for (const other of spread(others).slice(0, 6)) {
    const response = await probe.baseline(await probe.withRealIds(other));
    if (response.status !== 404 && response.status < 500 && !isBlocked(response)) return true;
  }
  return false;
}
