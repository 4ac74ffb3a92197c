import {
  locationOf,
  NO_SIGN_IN,
  readBehindSignIn,
  signedInSubjects,
  signOutsOf,
} from "../../attacks/sessions.ts";
import { sentAs } from "../../attacks/roles.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { isBlocked, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";

/** Up to this lifetime a token that cannot be revoked is a common compromise. */
const SHORT_SECONDS = 900;

export default defineCheck({
  id: "authentication/session-after-sign-out",
  kind: "differential",
  category: "authentication",
  title: "Session remains valid after logout",
  severity: { default: "medium", financial: "high", medical: "high" },
  confidence: "confirmed",
  description:
    "The token or cookie of a session is still accepted after the user has signed out. An attacker who obtained it can use it until it expires, and the user has no way to end the session.",
  rule: "A session that was opened for this test reads what requires credentials, signs out successfully, and then gets the same read again.",
  control:
    "The read is refused without credentials, and the sign-out gets a different response than a nonexistent path.",
  remediation:
    "Invalidate the session on the server at sign-out: delete it, or put the token on a denylist until it expires, and keep the lifetime of access tokens short.",
  references: {
    cwe: 613,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 8,

  subjects: (profile) => signedInSubjects(profile),
  notApplicable: NO_SIGN_IN,

  async examine({ identity, signInUrls }, probe) {
    const session = await probe.profile.sessions.open(identity);
    if (!session) return inconclusive("The target did not accept a second sign-in.");
    const { caller, lifetimeSeconds = Infinity } = session;
    const read = await readBehindSignIn(probe, caller);
    if (!read)
      return inconclusive("No read was found that requires credentials and that the session may do.");
    const signedOut = await firstAccepted(probe, signOutsOf(probe.profile, { signInUrls }, caller));
    if (!signedOut) return inconclusive("No operation was found that signs out.");
    const after = await probe.attack(sentAs(read.request, caller));
    const unclear = withoutMeaning(after);
    if (unclear) return inconclusive(unclear);
    if (!isSuccess(after)) return pass();
    const { location } = read.operation;
    return fail(
      `After the sign-out had returned status ${signedOut.status}, ${location.method} ${location.path} still returned status ${after.status} to the same session.`,
      {
        location: locationOf(signedOut.request.method, signedOut.request.url),
        ...(lifetimeSeconds <= SHORT_SECONDS && { severity: "low" }),
      },
    );
  },
});

/** The response of the first request that a handler accepted. */
async function firstAccepted(
  probe: Probe,
  requests: readonly ProbeRequest[],
): Promise<ProbeResponse | undefined> {
  for (const request of requests) {
    const response = await probe.attack(request);
    if (isBlocked(response) || !isAccepted(response)) continue;
    const { form: _, as: __, body: ___, ...plain } = request;
    const missing = await probe.missing({ ...plain, method: "GET", as: request.as! });
    if (!isNoBetterThan(missing, response)) return response;
  }
  return undefined;
}

/** With a success, or a redirect to the page where one signs in. */
const isAccepted = (response: ProbeResponse): boolean =>
  isSuccess(response) || (response.status >= 300 && response.status < 400);
