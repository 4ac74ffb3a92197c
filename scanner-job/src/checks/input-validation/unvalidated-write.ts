import type { WriteCheck } from "../../engine/check.ts";
import { isRegistration } from "../../inventory/sign-in.ts";
import { showsCreation } from "../../writes/outcome.ts";

export default {
  id: "input-validation/unvalidated-write",
  kind: "write",
  category: "inputValidation",
  title: "Stores unvalidated input from anonymous callers",
  severity: "medium",
  confidence: "tentative",
  description:
    "An operation accepts a write of a caller without credentials that has nothing of what it should require: no member, another type, or an object that does not exist. Anyone can fill its storage, and what reads the records later meets values that it does not expect.",
  rule: "A write without the required members, with a body of another type or for an object that cannot exist, was answered with a success. It was sent once: what it stored is listed as a side effect, and the operation was sent nothing more.",
  control: "The response to a path that does not exist is different.",
  remediation:
    "Authenticate callers who write, validate every body against the schema before it is stored, and let PUT and PATCH change only what exists.",
  references: {
    cwe: 20,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:N/VI:L/VA:L/SC:N/SI:N/SA:N",
  },

  notApplicable: "No write was sent that could have been stored.",

  appliesTo: ({ facts }) => !isRegistration(facts),
  judge({ request, reply }) {
    if (request.form?.kind !== "malformed" && request.form?.kind !== "no-object") return undefined;
    return {
      observed: `${request.method} with a body that it does not take was answered with status ${reply.status}.`,
      ...(showsCreation(request, reply) && { confidence: "firm" as const }),
    };
  },
} satisfies WriteCheck;
