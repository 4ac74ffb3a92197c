import { ANONYMOUS } from "@glovebox/contract";
import { defineCheck, fail, pass, type Observation } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { personalRows } from "../../signatures/personal-data.ts";
import type { Operation } from "../../inventory/operation.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";
import { whereHandled } from "../../attacks/refusals.ts";
import { reads, spread } from "../../attacks/subjects.ts";

export default defineCheck({
  id: "data-exposure/personal-data-lists",
  kind: "passive",
  category: "dataExposure",
  caller: ANONYMOUS,
  title: "Mass disclosure of personal data (PII)",
  severity: { default: "high", medical: "critical", internal: "medium" },
  confidence: "confirmed",
  description:
    "A list of people is returned without credentials. An attacker can download it and use it for fraud or phishing, and in most countries the breach must be reported.",
  rule: "At least two rows hold different values of a class of data that is never public, or of a person's name with contact details, where the operation is not declared public.",
  control: "None: the rows themselves are the proof.",
  remediation:
    "Require credentials, return only data that the caller may see, and omit fields that the caller does not need.",
  references: {
    cwe: 359,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    spread(
      reads(profile).filter(
        ({ facts, idParameter }) => idParameter === undefined && facts.security !== "optional",
      ),
    ),
  notApplicable: "No read operation returns a list.",

  /** What is read is examined; here are the responses to everything else, such as a search that is sent with POST. */
  observe(response, { operation, isBaseline }) {
    if (!isBaseline || !operation || operation.facts.method === "GET" || !isSuccess(response))
      return undefined;
    return seenIn(response, operation);
  },

  examine: (operation, probe) =>
    whereHandled(probe, operation, (response) => {
      const seen = seenIn(response, operation);
      if (!seen) return pass();
      const { observed, ...instead } = seen;
      return fail(observed, instead);
    }),
});

function seenIn(response: ProbeResponse, { facts }: Operation): Observation | undefined {
  const { rows, intimate, contact } = personalRows(response.json);
  const observed = `${rows} rows contain ${[...intimate, ...contact].join(", ")}.`;
  if (intimate.length > 0) return { observed };
  // Staff, authors and shops are published on purpose; what is declared public or is a name alone is believed to be.
  const isContactList = contact.length >= 2 && rows >= 3 && facts.security !== "none";
  return isContactList ? { observed, severity: "medium", confidence: "firm" } : undefined;
}
