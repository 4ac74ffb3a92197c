import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { fitsDeclaration, holdsData } from "../../oracles/records.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { looksPublished, looksPublishedByObject } from "../../attacks/published.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { isAdministrative, isPublicByNature } from "../../attacks/purpose.ts";
import { reads, spread } from "../../attacks/subjects.ts";

/** Reads of single objects and of administrators have separate checks. */
export default defineCheck({
  id: "authentication/declared-but-not-enforced",
  kind: "differential",
  category: "authentication",
  title: "Missing authentication on a protected endpoint",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "The OpenAPI document requires credentials for this operation, but the server does not enforce them. An unauthenticated attacker can read its data.",
  rule: "A request without credentials returns data, with the declared fields where there are any.",
  control: "The same request to a nonexistent path gets a different response.",
  remediation:
    "Enforce authentication for all routes by default, with an explicit list of public ones, and test that each protected route returns 401 without credentials. If the operation is public, declare `security: []` for it.",
  references: {
    cwe: 306,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    spread(
      reads(profile).filter(
        ({ facts, idParameter }) =>
          facts.security === "required" &&
          idParameter === undefined &&
          !isPublicByNature(facts) &&
          !isAdministrative(facts),
      ),
    ),
  notApplicable: "No operation that reads data declares a security requirement.",

  async examine(operation, probe) {
    const request = await probe.withRealIds(operation);
    const response = await probe.attack(request);
    if (isDenied(response)) return pass();
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    if (!isSuccess(response)) return inconclusive(`Status ${response.status} is neither data nor a refusal.`);
    if (isNoBetterThan(await probe.missing(request), response))
      return inconclusive("Nonexistent paths get the same response.");
    if (!holdsData(response.json)) return inconclusive("The response contained no data to evaluate.");
    const { facts } = operation;
    if (looksPublished(facts, response.json) || looksPublishedByObject(facts, response.json, probe.profile))
      return fail(`Status ${response.status}: the response looks public, so the document may be wrong.`, {
        severity: "low",
        confidence: "tentative",
      });
    return fitsDeclaration(operation.facts.responses, response) === false
      ? inconclusive("The response has none of the fields that the document declares.")
      : fail(
          `Status ${response.status} with ${response.body.length} characters of data was returned without credentials.`,
        );
  },
});
