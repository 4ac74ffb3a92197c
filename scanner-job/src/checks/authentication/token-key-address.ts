import { defineBypass, type Variant } from "../../attacks/bypass.ts";
import { likelySubject } from "../../attacks/claimed-subject.ts";
import { presenting } from "../../attacks/credentials.ts";
import {
  forgeryTargets,
  jsonWebToken,
  plausibleClaims,
  tokenCarriers,
  wrongSignature,
} from "../../attacks/forged-tokens.ts";
import { canaryHost } from "../../attacks/url-parameters.ts";
import { connectionError } from "../../signatures/error-messages.ts";

/** One verifier most often serves all reads. */
const MAX_READS = 6;

/** Members of a token's header with the address of keys or of a certificate (RFC 7515, 4.1.2 and 4.1.5). */
const MEMBERS = ["jku", "x5u"] as const;

/** The scan offers no key at its address: that the server asks for one there is what shows the weakness. */
export default defineBypass({
  id: "authentication/token-key-address",
  category: "authentication",
  title: "JWT key fetched from an address in the token (jku, x5u)",
  severity: "high",
  confidence: "firm",
  description:
    "The server fetches the verification key from a URL in the token header. An attacker who names a URL under their control can forge tokens for any user, and can make the server send requests to internal hosts (SSRF).",
  rule: "A token with a nonexistent host in `jku` or `x5u` returns a connection error, and the same token without that member does not.",
  control: "The same token without the URL, which is refused.",
  remediation:
    "Ignore `jku` and `x5u`, or compare them with an allowlist before fetching; take keys from the configured issuer, and return the same error for every invalid token.",
  references: {
    cwe: 347,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  prior: () => 0.5,
  cost: 4,

  subjects: (profile) => forgeryTargets(profile).slice(0, MAX_READS),
  notApplicable: "No read operation is known.",

  async variants({ carriers }, refused, probe) {
    const { request } = refused;
    const claims = plausibleClaims(await likelySubject(probe));
    const signature = wrongSignature(probe);
    const token = (more: object) => jsonWebToken({ alg: "RS256", kid: "1", ...more }, claims, signature);
    return tokenCarriers(carriers, refused).flatMap((carrier) =>
      MEMBERS.map((name): Variant => {
        const address = `https://${canaryHost(probe.nonce())}/keys.json`;
        return {
          label: name,
          request: presenting(request, carrier, token({ [name]: address })),
          isAccepted: ({ body }) => connectionError(body) !== undefined,
          async isProven() {
            const without = await probe.control(presenting(request, carrier, token({})));
            return connectionError(without.body) === undefined;
          },
          observe: ({ status, body }) => ({
            observed: `With ${name}, status ${status} reports that the connection was ${FAILED[connectionError(body)!]}.`,
          }),
        };
      }),
    );
  },
});

const FAILED = { unresolved: "to an unresolvable host", refused: "refused" } as const;
