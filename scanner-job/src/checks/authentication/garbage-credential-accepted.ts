import { defineCheck, fail, pass, type Subject } from "../../engine/check.ts";
import { presentableSchemes, presenting } from "../../attacks/credentials.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { whereRefused } from "../../attacks/refusals.ts";
import { likelyRefusals } from "../../attacks/subjects.ts";
import type { SecurityScheme } from "../../inventory/api-document.ts";
import type { Operation } from "../../inventory/operation.ts";

/** All ways to present a credential are tried at the first few operations, the first at the others. */
const TRIED_AT_ALL = 5;

interface GuardedRead extends Subject {
  readonly operation: Operation;
  readonly schemes: readonly SecurityScheme[];
}

export default defineCheck({
  id: "authentication/garbage-credential-accepted",
  category: "authentication",
  title: "Authentication bypass: invalid credential accepted",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server requires credentials but does not verify them: any value will do. Anyone can call the operation as if they had signed in.",
  rule: "Random letters in the place of a credential, new ones each time, turn a refusal into a success twice.",
  control:
    "The same request without the credential is refused, and with it a path that cannot exist is not found.",
  remediation:
    "Verify the credential on every request: the token's signature, issuer, audience and expiry, or the key against the stored ones. Its presence proves nothing.",
  references: {
    cwe: 287,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => {
    const schemes = presentableSchemes(profile.document?.securitySchemes).slice(0, 3);
    return likelyRefusals(profile).map((operation, place): GuardedRead => ({
      operation,
      location: operation.location,
      schemes: place < TRIED_AT_ALL ? schemes : schemes.slice(0, 1),
    }));
  },
  notApplicable: "No read is known.",

  examine: ({ operation, schemes }, probe) =>
    whereRefused(probe, operation, async (without) => {
      const { request } = without;
      for (const scheme of schemes) {
        const made = presenting(request, scheme, probe.nonce());
        if (!isSuccess(await probe.attack(made))) continue;
        const again = await probe.attack(presenting(request, scheme, probe.nonce()));
        const missing = await probe.missing(made);
        if (isSuccess(again) && !isNoBetterThan(missing, again))
          return fail(
            `Without credentials it answered ${without.status}; with a random one (${scheme.name}) ${again.status}.`,
          );
      }
      return pass();
    }),
});
