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
  title: "User enumeration on login",
  severity: "medium",
  confidence: "firm",
  description:
    "A failed login gets a different response for an existing account than for an unknown one. An attacker can enumerate valid user names and use them for password guessing or credential stuffing.",
  rule: "A name that the API shows (or `admin`) with a random password gets another status or text than a random name.",
  control: "Two random names of the same form get the same status and text.",
  remediation:
    "Return the same status, body and response time for every failed login, whether the name or the password was wrong.",
  references: {
    cwe: 204,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  // Few requests, before many attacks use up what an operation may be sent.
  prior: () => 3,
  subjects: ({ operations }) => operations.filter(({ facts }) => signInFields(facts)),
  notApplicable: "No operation signs in with a user name and a password.",

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
