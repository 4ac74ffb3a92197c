import { defineCheck, fail, pass } from "../../engine/check.ts";
import { responseToNoObject, unlessReturned } from "../../attacks/object-control.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";
import { personalRows } from "../../signatures/personal-data.ts";
import type { TargetProfile } from "../../engine/check.ts";

export default defineCheck({
  id: "bola-authorization/personal-object",
  kind: "differential",
  category: "bolaAuthorization",
  title: "Personal data of users exposed without authentication",
  severity: { default: "high", internal: "medium" },
  confidence: "firm",
  description:
    "An operation returns personal data of a user without credentials, by the user's ID or name. An attacker can guess or collect these identifiers and harvest the data of all users.",
  rule: "The object of a likely ID contains a class of data that is never public, or a person's name with contact details, and a nonexistent ID gets a different response.",
  control: "The same request with a nonexistent ID of the same type.",
  remediation:
    "Require credentials, and return personal data only to the person concerned and to roles that need it.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => spread(objectReads(profile).filter(({ facts }) => facts.security === "undeclared")),
  notApplicable: "No operation with undeclared security reads an object by its ID.",

  async examine(operation, probe) {
    const none = await responseToNoObject(operation, probe);
    const object = await probe.attack(await probe.withRealIds(operation));
    const verdict = unlessReturned(object, none, probe);
    if (verdict) return verdict;
    // A list of one row is judged as a list of two like ones.
    const { json } = object;
    const row: unknown = Array.isArray(json) ? json[0] : json;
    const { intimate, contact } = personalRows([row], 1);
    const seen = [...intimate, ...contact].join(", ");
    if (intimate.length > 0) return fail(`The object contains ${seen}.`);
    if (contact.length < 2) return pass();
    return fail(`The object contains ${seen}.`, {
      severity: hasOpenList(operation, probe.profile) ? "low" : "medium",
    });
  },
});

/** What a list shows of everybody is not a secret of one object; the list is a separate finding. */
const hasOpenList = ({ location }: Operation, { operations }: TargetProfile): boolean => {
  const above = location.path.replace(/\/\{[^{}]*\}\/?$/, "");
  return operations.some((other) => other.facts.method === "GET" && other.location.path === above);
};
