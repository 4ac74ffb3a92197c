import type { WriteCheck } from "../../engine/check.ts";
import { isRegistration, outerFields, isPassword } from "../../inventory/sign-in.ts";
import { showsCreation } from "../../writes/outcome.ts";

export default {
  id: "authentication/registration-without-password",
  kind: "write",
  category: "authentication",
  title: "Registers accounts without a password",
  severity: "high",
  confidence: "tentative",
  description:
    "A registration accepts a request in which the password is missing or empty. Anyone can make accounts that anyone else can sign in to, in any number.",
  rule: "A registration answered a body without a password with a success, or with a redirect that is no refusal. It was sent once: what it stored is listed as a side effect, and the operation was sent nothing more.",
  control: "The response to a path that does not exist is different.",
  remediation:
    "Validate the whole body before the account is stored, with a password of a minimum length among what is required, and answer 400 or 422.",
  references: {
    cwe: 521,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:L/SC:N/SI:N/SA:N",
  },

  notApplicable: "No registration was sent a request, or none was refused for its input.",

  appliesTo: ({ facts }) => isRegistration(facts),
  judge({ operation, request, reply }) {
    const password = outerFields(operation.facts).find(({ name }) => isPassword(name))?.name ?? "password";
    return {
      observed: `A body without "${password}" was answered with status ${reply.status}.`,
      ...(showsCreation(request, reply) && { confidence: "firm" as const }),
    };
  },
} satisfies WriteCheck;
