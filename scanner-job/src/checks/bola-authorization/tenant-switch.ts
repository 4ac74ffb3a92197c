import { ANONYMOUS } from "@glovebox/contract";
import { defineCheck, fail, inconclusive, notApplicable, pass, type Verdict } from "../../engine/check.ts";
import {
  hasCallerPairs,
  NO_CALLER_PAIRS,
  overCallerPairs,
  type ComparedCallers,
} from "../../attacks/caller-pairs.ts";
import { spread } from "../../attacks/subjects.ts";
import { tenantSwitches, type TenantSwitch } from "../../attacks/tenant-switches.ts";
import type { Probe } from "../../engine/probe.ts";
import type { Operation } from "../../inventory/operation.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { commonPart } from "../../oracles/common-part.ts";

export default defineCheck({
  id: "bola-authorization/tenant-switch",
  kind: "comparison",
  category: "bolaAuthorization",
  title: "Cross-tenant data access by a client-supplied tenant ID",
  severity: "critical",
  confidence: "confirmed",
  description:
    "A user gets the data of another tenant by naming that tenant in a header, the path, the query or the body. The API selects the tenant by what the client sends instead of by its credentials.",
  rule: "With the ID of another tenant, a user gets the data that a user of the other tenant sees, and other data with the own one.",
  control:
    "A nonexistent tenant and the caller's own one do not return this data, and anonymous callers do not get it.",
  remediation:
    "Derive the tenant from the caller's credentials. Where a user may belong to several tenants, check the membership on every request.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 6,
  subjects: (profile) =>
    hasCallerPairs(profile) ? spread(profile.operations.filter(({ isRead }) => isRead)) : [],
  notApplicable: `${NO_CALLER_PAIRS} Or no operation reads data.`,

  examine: (operation, probe) =>
    overCallerPairs(probe, (callers) => examineSwitches(operation, callers, probe)),
});

async function examineSwitches(
  operation: Operation,
  callers: ComparedCallers,
  probe: Probe,
): Promise<Verdict> {
  const { owner, attacker, ofOwner, ofAttacker } = callers;
  const theirs = tenantsOf(owner.tenant, (await ofOwner.markers()).tenants);
  const own = tenantsOf(attacker.tenant, (await ofAttacker.markers()).tenants);
  const tenant = theirs.find((each) => !own.includes(each));
  if (tenant === undefined) return notApplicable("The identities are not known to be of different tenants.");
  let verdict: Verdict = notApplicable("The operation names no tenant.");
  for (const each of await tenantSwitches(operation, callers, { tenant, own: own[0] })) {
    const next = await judgeSwitch(each, callers, probe);
    if (next.outcome === "fail") return next;
    if (verdict.outcome !== "pass") verdict = next;
  }
  return verdict;
}

/** What the owner of the scan calls the tenant, and what the API calls it. */
const tenantsOf = (declared: string | undefined, learned: ReadonlySet<string>): string[] => [
  ...learned,
  ...(declared === undefined ? [] : [declared]),
];

async function judgeSwitch(
  { own, plain, attack, none, label }: TenantSwitch,
  { owner, attacker }: ComparedCallers,
  probe: Probe,
): Promise<Verdict> {
  const view = await probe.baseline({ ...own, as: owner.name });
  if (!isSuccess(view)) return inconclusive(`The request of ${owner.name} returned status ${view.status}.`);
  const seen = await probe.attack({ ...attack, as: attacker.name });
  const unclear = withoutMeaning(seen);
  if (unclear) return inconclusive(unclear);
  const usual = await probe.control({ ...plain, as: attacker.name });
  if (isSuccess(usual) && commonPart(view, usual) !== undefined)
    return notApplicable("Both tenants get the same data.");
  if (isDenied(seen) || !isSuccess(seen) || commonPart(view, seen) === undefined) return pass();
  for (const request of [
    { ...none, as: attacker.name },
    { ...own, as: ANONYMOUS },
  ]) {
    const control = await probe.control(request);
    if (isSuccess(control) && commonPart(view, control) !== undefined)
      return notApplicable("A nonexistent tenant or an anonymous caller gets the same data.");
  }
  return fail(`${attacker.name} got the data of the tenant of ${owner.name} by ${label}.`);
}
