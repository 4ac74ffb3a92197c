import type { WriteCheck } from "../../engine/check.ts";
import { isRegistration } from "../../inventory/sign-in.ts";
import { showsCreation } from "../../writes/outcome.ts";

export default {
  id: "input-validation/unvalidated-write",
  kind: "write",
  category: "inputValidation",
  title: "Improper input validation: anonymous write stored",
  severity: "medium",
  confidence: "tentative",
  description:
    "An operation accepts an unauthenticated write with invalid input: missing required properties, wrong types, or a nonexistent object. An attacker can fill the storage, and code that reads the records later may fail.",
  rule: "A write without required properties, with a body of another type or for a nonexistent object returned a success. It was sent once: what it stored is listed as a side effect, and no further request was sent to the operation.",
  control: "The response to a nonexistent path is different.",
  remediation:
    "Authenticate callers of write operations, validate every body against the schema before storing it, and let PUT and PATCH change only existing objects.",
  references: {
    cwe: 20,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:N/VI:L/VA:L/SC:N/SI:N/SA:N",
  },

  notApplicable: "No write was sent that could have been stored.",

  appliesTo: ({ facts }) => !isRegistration(facts),
  judge({ request, response }) {
    if (request.form?.kind !== "malformed" && request.form?.kind !== "no-object") return undefined;
    return {
      observed: `${request.method} with an invalid body returned status ${response.status}.`,
      ...(showsCreation(request, response) && { confidence: "firm" as const }),
    };
  },
} satisfies WriteCheck;
