import { locationOf, NO_SIGN_IN, signedInSubjects } from "../../attacks/sessions.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";

export default defineCheck({
  id: "authentication/refresh-token-reuse",
  kind: "differential",
  category: "authentication",
  title: "Refresh token can be used more than once",
  severity: "medium",
  confidence: "firm",
  description:
    "A refresh token returns new tokens a second time, although it has been used. An attacker who obtained an old refresh token keeps access to the account for as long as it is valid, and the theft is not noticed.",
  rule: "In a session that was opened for this test, the same refresh token is accepted twice. Low where the API never rotates refresh tokens.",
  control: "The same request with a refresh token that cannot be right is refused.",
  remediation:
    "Rotate refresh tokens: accept each once, and revoke the whole session when a used one comes back (RFC 9700, section 4.14.2).",
  references: {
    cwe: 294,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 5,

  subjects: (profile) => signedInSubjects(profile, ({ canRefresh }) => canRefresh),
  notApplicable: `${NO_SIGN_IN.slice(0, -1)} and how it refreshes its token.`,

  async examine({ identity }, probe) {
    const session = await probe.profile.sessions.open(identity);
    if (!session) return inconclusive("The target did not accept a second sign-in.");
    for (const { valid, invalid } of session.refreshes) {
      // Never from the cache, and not into it: the second must be a new response.
      const first = await probe.again(valid);
      if (first.status === 404 || first.status === 405) continue;
      const unclear = withoutMeaning(first);
      if (unclear) return inconclusive(unclear);
      if (!isSuccess(first)) return inconclusive(`The refresh returned status ${first.status}.`);
      if (isSuccess(await probe.control(invalid)))
        return inconclusive("The refresh succeeds with any token: it may depend on something else.");
      const second = await probe.attack(valid);
      if (!isSuccess(second)) return withoutMeaning(second) ? inconclusive(withoutMeaning(second)!) : pass();
      const how = session.rotates ? "although it had been replaced by another" : "and it is never replaced";
      return fail(`The refresh token was accepted twice, ${how}.`, {
        location: locationOf(valid.method, valid.url),
        ...(!session.rotates && { severity: "low", confidence: "tentative" }),
      });
    }
    return inconclusive("The address at which the identity refreshes its token was not found.");
  },
});
