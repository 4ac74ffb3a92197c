import { NO_SIGN_IN, signedInSubjects } from "../../attacks/sessions.ts";
import { sentAnonymously, sentAs } from "../../attacks/roles.ts";
import { guardedReads } from "../../attacks/subjects.ts";
import {
  defineCheck,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type TargetProfile,
} from "../../engine/check.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";

/** Clocks of servers differ, and many libraries allow for it; the most, by default, five minutes. */
const TOLERANCE_SECONDS = 60;
const LARGEST_TOLERANCE_SECONDS = 330;
const MAX_READS = 6;

export default defineCheck({
  id: "authentication/token-after-expiry",
  kind: "burst",
  category: "authentication",
  title: "Access token accepted after its expiry",
  severity: "medium",
  confidence: "confirmed",
  description:
    "An access token is still accepted after the time at which it expires by what the sign-in said. An attacker who obtained an old token, for example from a log or a backup, can use it.",
  rule: "The first token of an identity, which the scan has replaced, returns data more than a minute after its `expires_in` or `exp`. Low up to five and a half minutes, which clock tolerance may explain.",
  control: "The same read without credentials is refused.",
  remediation:
    "Verify `exp` in each request with a tolerance of at most a minute, and delete sessions on the server when they expire.",
  references: {
    cwe: 613,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => signedInSubjects(profile),
  notApplicable: NO_SIGN_IN,

  async examine(_, probe) {
    const old = await longestExpired(probe.profile);
    if (!old) return notApplicable("No token of an identity expired during the scan.");
    const { identity, expired } = old;
    for (const operation of guardedReads(probe.profile).slice(0, MAX_READS)) {
      const request = await probe.withRealIds(operation);
      if (!isDenied(await probe.control(sentAnonymously(request)))) continue;
      if (!isSuccess(await probe.again(sentAs(request, identity)))) continue;
      const response = await probe.attack(sentAs(request, expired.caller));
      const unclear = withoutMeaning(response);
      if (unclear) return inconclusive(unclear);
      if (!isSuccess(response)) return pass();
      return fail(
        `${operation.location.method} ${operation.location.path} returned status ${response.status} ${Math.floor(expired.overdueSeconds)} seconds after the token had expired.`,
        expired.overdueSeconds < LARGEST_TOLERANCE_SECONDS ? { severity: "low" } : {},
      );
    }
    return inconclusive("No read was found that requires credentials and that the identity may do.");
  },
});

/** The token that expired before all others, long enough ago. */
async function longestExpired({ sessions }: TargetProfile) {
  const found = [];
  for (const { name } of sessions.identities) {
    const expired = await sessions.expired(name, TOLERANCE_SECONDS);
    if (expired) found.push({ identity: name, expired });
  }
  return found.toSorted((one, other) => other.expired.overdueSeconds - one.expired.overdueSeconds)[0];
}
