import { defineCheck } from "../../engine/check.ts";
import { examineEnumeration, likelyNames } from "../../attacks/enumeration.ts";
import { withSample } from "../../inventory/credential-attempts.ts";
import { signInFields } from "../../inventory/sign-in.ts";
import { WRONG_ATTEMPT } from "../../transport/exchange.ts";

/** Resets are left alone: they would send mail to people. */
export default defineCheck({
  id: "authentication/login-enumeration",
  kind: "differential",
  category: "authentication",
  title: "User enumeration on log-in",
  severity: "medium",
  confidence: "firm",
  description:
    "A log-in with a wrong password is answered differently for an existing account than for an unknown one. Attackers can collect account names and then guess their passwords.",
  rule: "A name that the API itself shows (or `admin`) with a random password is refused with another status or text than a random name.",
  control: "Two random names of the same form are refused with the same status and text.",
  remediation:
    "Answer every failed sign-in with the same status, body and delay, whether the name or the password was wrong.",
  references: {
    cwe: 204,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  // Few requests, before many attacks use up what an operation may be sent.
  prior: () => 3,
  subjects: ({ operations }) => operations.filter(({ facts }) => signInFields(facts)),
  notApplicable: "No operation that signs in with a name and a password is declared.",

  async examine(operation, probe) {
    const { user, password } = signInFields(operation.facts)!;
    return examineEnumeration(probe, {
      attempt: "A sign-in",
      names: await likelyNames(probe, operation, user),
      mayTry: (name) => probe.accounts.mayTryName(name, operation),
      request: (name) =>
        operation.request({
          content: withSample(operation, { [user.path]: name, [password.path]: probe.nonce() }),
          form: WRONG_ATTEMPT,
        }),
    });
  },
});
