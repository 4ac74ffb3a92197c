import type { WriteCheck } from "../../engine/check.ts";
import { isRegistration, outerFields, isPassword } from "../../inventory/sign-in.ts";
import { showsCreation } from "../../writes/outcome.ts";

export default {
  id: "authentication/registration-without-password",
  kind: "write",
  category: "authentication",
  title: "Account registration without a password",
  severity: "high",
  confidence: "tentative",
  description:
    "The registration accepts a request in which the password is missing or empty. An attacker can create any number of accounts, and anyone may be able to sign in to them.",
  rule: "A registration without a password returned a success, or a redirect that does not indicate an error. It was sent once: the stored account is listed as a side effect, and no further request was sent to the operation.",
  control: "The response to a path that does not exist is different.",
  remediation:
    "Validate the whole body before the account is stored, require a password of a minimum length, and return 400 or 422 otherwise.",
  references: {
    cwe: 521,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:L/SC:N/SI:N/SA:N",
  },

  notApplicable: "No request was sent to a registration, or no registration rejected its input.",

  appliesTo: ({ facts }) => isRegistration(facts),
  judge({ operation, request, response }) {
    const password = outerFields(operation.facts).find(({ name }) => isPassword(name))?.name ?? "password";
    return {
      observed: `A body without "${password}" returned status ${response.status}.`,
      ...(showsCreation(request, response) && { confidence: "firm" as const }),
    };
  },
} satisfies WriteCheck;
