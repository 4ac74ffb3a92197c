import { defineCheck, fail, notApplicable, pass, type Subject } from "../../engine/check.ts";
import {
  examineForgeries,
  forgeryTargets,
  signedToken,
  type ForgeryTarget,
  type Forger,
  type InDepth,
} from "../../attacks/forged-tokens.ts";
import { baselineResponses, theHost } from "../../attacks/subjects.ts";
import { COMMON_KEYS, crackedKey, tokensIn } from "../../attacks/token-keys.ts";
import type { Probe } from "../../engine/probe.ts";
import type { ApiDocument } from "../../inventory/api-document.ts";

/** Keys out of tutorials and templates: this asks for a default, it does not search for a key. */
export default defineCheck<Subject & Partial<ForgeryTarget>, InDepth>({
  id: "authentication/guessable-token-key",
  kind: "bypass",
  category: "authentication",
  title: "JWT signed with a weak HMAC secret",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server accepts or issues JSON Web Tokens that are signed with a well-known secret, such as one from a tutorial or template. An attacker can forge a token for any user.",
  rule: "A token signed by the scanner (HS256) with a well-known secret is accepted, or the signature of a token in a response matches such a secret.",
  control:
    "The same request without a token, or with the same claims signed with a random key, is refused; a token in a response is found there again.",
  remediation:
    "Sign tokens with at least 256 random bits from a secret store, or with a private key (RS256, ES256), and revoke all tokens issued so far.",
  references: {
    cwe: 1394,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 4,

  subjects: (profile) => [...theHost(profile), ...forgeryTargets(profile)],
  notApplicable: "This check applies to every target.",

  memory: () => new Set(),
  async examine({ operation, carriers, location }, probe, inDepth) {
    if (!operation || !carriers) return examineSeen(probe);
    const forger: Forger = (claims) => ({
      forgeries: COMMON_KEYS.map((key) => ({
        label: `signed with ${shown(key)}`,
        token: signedToken(key, claims),
      })),
      unbelievable: signedToken(probe.nonce(), claims),
    });
    return examineForgeries(probe, { operation, carriers, location }, { forger, inDepth });
  },
});

/** Tries the keys at tokens that the document or baseline responses show; offline. */
async function examineSeen(probe: Probe) {
  const { document, target } = probe.profile;
  const names = [target.hostname, document?.title ?? ""];
  for (const token of tokensIn(JSON.stringify(samplesIn(document)))) {
    const key = crackedKey(token, names);
    if (key === undefined) continue;
    await probe.attack(probe.profile.entry.request);
    await probe.again(probe.profile.entry.request);
    return fail(`A token in the document's examples is signed with ${shown(key)}.`, {
      confidence: "tentative",
      severity: "medium",
    });
  }
  let seen = 0;
  for await (const response of baselineResponses(probe)) {
    for (const token of tokensIn(response.body)) {
      seen += 1;
      const key = crackedKey(token, names);
      if (key === undefined) continue;
      await probe.attack(response.request);
      const again = await probe.again(response.request);
      const { pathname } = new URL(response.request.url);
      if (tokensIn(again.body).some((other) => crackedKey(other, names) === key))
        return fail(`A token in the response is signed with ${shown(key)}.`, {
          location: { method: "GET", path: pathname },
        });
    }
  }
  return seen > 0 ? pass() : notApplicable("No baseline response contained a token.");
}

const shown = (key: string): string => (key === "" ? "the empty key" : `the key "${key}"`);

const samplesIn = (document: ApiDocument | undefined): unknown[] =>
  (document?.operations ?? [])
    .slice(0, 500)
    .flatMap(({ body, parameters }) => [body?.sample, ...parameters.map(({ sample }) => sample)]);
