import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { fitsDeclaration, holdsData } from "../../oracles/records.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { looksPublished } from "../../attacks/published.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { isAdministrative, isPublicByNature } from "../../attacks/purpose.ts";
import { reads, spread } from "../../attacks/subjects.ts";

/** Reads of single objects and of administrators have checks of their own. */
export default defineCheck({
  id: "authentication/declared-but-not-enforced",
  kind: "differential",
  category: "authentication",
  title: "Missing authentication on a protected endpoint",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "The API's document says that this operation needs credentials, but the server does not ask for them. Anyone can read what it returns.",
  rule: "The operation answers a request without credentials with data, and with the fields declared where any are.",
  control: "The same request to a path that cannot exist is answered differently.",
  remediation:
    "Enforce authentication for every route by default and list the public ones; test that each answers 401 without credentials. If the operation is public, declare `security: []` for it.",
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
  notApplicable: "No operation that lists or reads something declares that it needs credentials.",

  async examine(operation, probe) {
    const request = await probe.withRealIds(operation);
    const reply = await probe.attack(request);
    if (isDenied(reply)) return pass();
    const unclear = withoutMeaning(reply);
    if (unclear) return inconclusive(unclear);
    if (!isSuccess(reply))
      return inconclusive(`It answered status ${reply.status}, neither data nor a refusal.`);
    if (isNoBetterThan(await probe.missing(request), reply))
      return inconclusive("Paths that cannot exist are answered in the same way.");
    if (!holdsData(reply.json)) return inconclusive("The answer held no data to judge by.");
    if (looksPublished(operation.facts, reply.json))
      return fail(`Status ${reply.status}: the answer looks public, so the document may be wrong.`, {
        severity: "low",
        confidence: "tentative",
      });
    return fitsDeclaration(operation.facts.responses, reply) === false
      ? inconclusive("The answer has none of the fields that the document declares.")
      : fail(
          `Status ${reply.status} with ${reply.body.length} characters of data came back without credentials.`,
        );
  },
});
