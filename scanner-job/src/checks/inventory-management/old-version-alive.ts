import { defineCheck, fail, inconclusive, pass, type Subject } from "../../engine/check.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { jaccard } from "../../oracles/similarity.ts";
import { keysOf, rowsOf } from "../../oracles/records.ts";
import { notServed } from "../../attacks/route-existence.ts";
import { reads } from "../../attacks/subjects.ts";
import { documentedVersionOf, versionIn } from "../../attacks/versions.ts";
import type { Operation } from "../../inventory/operation.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

interface OldVersion extends Subject {
  readonly operation: Operation;
  readonly newer: Operation;
}

export default defineCheck({
  id: "inventory-management/old-version-alive",
  kind: "differential",
  category: "inventoryManagement",
  title: "Outdated API version exposed",
  severity: "low",
  confidence: "firm",
  description:
    "An outdated API version is still served. It lacks later security fixes, and an attacker can use it to bypass the protection of the current version.",
  rule: "A lower version of a documented operation returns data with the same fields, or succeeds where the documented one is refused; a random path gets a different response.",
  control: "The documented version, and a random path of the same form as the old one.",
  remediation:
    "Retire the old version, or document it and enforce the same access control as for the current one.",
  references: {
    cwe: 1059,
    owasp: "API9:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    reads(profile).flatMap((operation): OldVersion[] => {
      const newer = documentedVersionOf(operation, profile.operations);
      return newer && numberOf(newer) > numberOf(operation)
        ? [{ operation, newer, location: operation.location }]
        : [];
    }),
  notApplicable: "No other version of a documented operation was found.",

  async examine({ operation, newer }, probe) {
    const request = await probe.withRealIds(operation);
    const missing = await probe.missing(request);
    const current = await probe.control(await probe.withRealIds(newer));
    const old = await probe.attack(request);
    const unclear = withoutMeaning(old) ?? withoutMeaning(current);
    if (unclear) return inconclusive(unclear);
    const unserved = notServed(old, missing);
    if (unserved) return unserved;
    if (!isData(old)) return pass();
    if (isDenied(current))
      return fail(`${newer.location.path} requires credentials, and this version does not.`, {
        severity: "medium",
      });
    return haveSameFields(old, current)
      ? fail(`It returns the same response as ${newer.location.path}.`)
      : pass();
  },
});

const numberOf = ({ location }: Operation): number => versionIn(location.path)?.number ?? 0;

const isData = ({ json }: ProbeResponse): boolean => typeof json === "object" && json !== null;

/** The fields of rows where both are lists. */
function haveSameFields(old: ProbeResponse, current: ProbeResponse): boolean {
  if (!isSuccess(current)) return false;
  const [left, right] = [old, current].map(({ json }) => keysOf(rowsOf(json) ?? json));
  return left!.size > 0 && jaccard(left!, right!) >= 0.5;
}
