import { sentAs, usersOf } from "../../attacks/roles.ts";
import {
  areOfSeveralPersons,
  NO_USER,
  readsAsUser,
  recordsOf,
  unlessAnonymous,
} from "../../attacks/records-of-user.ts";
import {
  defineCheck,
  fail,
  inconclusive,
  pass,
  type Overrides,
  type TargetProfile,
} from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { holdSameData } from "../../oracles/same-data.ts";
import { personalRows, type PersonalRows } from "../../signatures/personal-data.ts";

export default defineCheck({
  id: "data-exposure/personal-data-as-user",
  kind: "differential",
  category: "dataExposure",
  title: "Mass disclosure of personal data (PII) to any user",
  severity: { default: "high", medical: "critical", internal: "medium" },
  confidence: "firm",
  description:
    "A regular user gets a list of other persons with data that is never public. Anyone who may sign in can download it and use it for fraud or phishing, and in most countries the breach must be reported.",
  rule: "Two users get the same list, whose rows name different persons and hold different values of a class of data that is never public; or users of different tenants get the same list of persons with contact details.",
  control:
    "The same request without credentials does not return the list, and a second user gets the same one.",
  remediation:
    "Return personal data of others only to roles that need it, filter lists by the caller, and omit fields that the caller does not need.",
  references: {
    cwe: 359,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => readsAsUser(profile).filter(({ operation }) => operation.idParameter === undefined),
  notApplicable: NO_USER,

  async examine(subject, probe) {
    const { got, verdict } = await recordsOf(subject, probe);
    if (verdict) return verdict;
    const [response] = got.responses;
    const rows = personalRows(response.json);
    if (rows.intimate.length + rows.contact.length === 0 || !areOfSeveralPersons(got.records)) return pass();
    const { request } = response;
    const open = await unlessAnonymous(probe, request, ({ json }) => personalRows(json).rows > 0);
    if (open) return open;
    const strangers = strangersOf(probe.profile, subject.user);
    for (const { name, isOfOtherTenant } of strangers) {
      const other = await probe.control(sentAs(request, name));
      if (
        !isSuccess(other) ||
        !holdSameData(other, response, await probe.again(sentAs(request, subject.user)))
      )
        return pass();
      const instead = gravityOf(rows, { isOfOtherTenant });
      if (instead)
        return fail(
          `${subject.user} and ${name} get the same ${rows.rows} rows with ${[...rows.intimate, ...rows.contact].join(", ")}.`,
          instead,
        );
    }
    return rows.intimate.length > 0 && strangers.length === 0
      ? inconclusive("The list may be the user's own: the scan has no second user to compare with.")
      : pass();
  },
});

/** The other users, those of another tenant first. */
function strangersOf({ callers }: TargetProfile, user: string) {
  const own = callers.find(({ name }) => name === user)?.tenant;
  return usersOf({ callers })
    .filter((name) => name !== user)
    .map((name) => {
      const tenant = callers.find((caller) => caller.name === name)?.tenant;
      return { name, isOfOtherTenant: own !== undefined && tenant !== undefined && own !== tenant };
    })
    .toSorted((one, other) => Number(other.isOfOtherTenant) - Number(one.isOfOtherTenant));
}

/**
 * How grave it is that two users get the same rows. Colleagues may know how to reach each other; other tenants may not. Undefined
 * where it may be meant. Pure.
 */
function gravityOf(
  { rows, intimate, contact }: PersonalRows,
  { isOfOtherTenant }: { isOfOtherTenant: boolean },
): Overrides | undefined {
  if (intimate.length > 0) return isOfOtherTenant ? { confidence: "confirmed" } : {};
  return isOfOtherTenant && contact.length >= 2 && rows >= 3 ? { severity: "medium" } : undefined;
}
