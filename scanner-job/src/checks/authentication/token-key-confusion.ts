import { createPublicKey, type JsonWebKey } from "node:crypto";
import { notApplicable } from "../../engine/check.ts";
import { defineForgedToken, signedToken } from "../../attacks/forged-tokens.ts";
import type { Probe } from "../../engine/probe.ts";
import { isObject, listMember, textMember } from "../../json.ts";
import { readOf } from "../../transport/exchange.ts";

/** Where servers publish the keys of their tokens. */
const PATHS = [
  "/.well-known/jwks.json",
  "/.well-known/openid-configuration",
  "/.well-known/jwks",
  "/jwks.json",
  "/jwks",
  "/oauth/jwks",
  "/oauth2/jwks",
  "/auth/jwks",
  "/api/jwks",
  "/api/auth/jwks",
];
const MAX_KEYS = 2;

export default defineForgedToken({
  id: "authentication/token-key-confusion",
  title: "JWT algorithm confusion (public key as HMAC secret)",
  description:
    "The server trusts the algorithm named in the token header and uses one key for all algorithms. An attacker can use the public key as an HMAC secret to forge a token for any user.",
  rule: "A token signed (HS256) with the text of a published public key is accepted.",
  control: "The same request without a token, or with the same claims signed with a random key, is refused.",
  remediation:
    "Configure the accepted algorithms in the verifier (for example only RS256), and use separate keys for HMAC and asymmetric signatures.",
  prior: () => 0.5,
  cost: 6,

  async forger(probe) {
    const keys = await publishedKeys(probe);
    if (keys.length === 0) return notApplicable("The host does not publish its token keys.");
    return (claims) => ({
      forgeries: keys.flatMap(textsOf).map((key) => ({
        label: `signed by HMAC with the published key (${key.slice(0, 30).split("\n")[0]}…)`,
        token: signedToken(key, claims),
      })),
      unbelievable: signedToken(probe.nonce(), claims),
    });
  },
});

/** Keys of RSA or elliptic curves in the first set of keys (RFC 7517) that the host shows. */
async function publishedKeys(probe: Probe): Promise<JsonWebKey[]> {
  const { origin } = probe.profile.target;
  const shown = await Promise.all(PATHS.map((path) => probe.baseline(readOf(origin + path))));
  for (const { json } of shown) {
    const keys = keysIn(json);
    if (keys.length > 0) return keys;
    const address = textMember(json, "jwks_uri", 500);
    if (address === undefined || !URL.canParse(address) || new URL(address).origin !== origin) continue;
    const named = keysIn((await probe.baseline(readOf(address))).json);
    if (named.length > 0) return named;
  }
  return [];
}

const keysIn = (json: unknown): JsonWebKey[] =>
  listMember(json, "keys", 10)
    .filter((key) => isObject(key) && (key["kty"] === "RSA" || key["kty"] === "EC"))
    .slice(0, MAX_KEYS) as JsonWebKey[];

/** The forms in which a server may keep the key: PEM with and without the last line end, PKCS #1, JSON. */
function textsOf(jwk: JsonWebKey): string[] {
  try {
    const key = createPublicKey({ key: jwk, format: "jwk" });
    const spki = key.export({ type: "spki", format: "pem" }).toString();
    const pkcs1 = jwk.kty === "RSA" ? [key.export({ type: "pkcs1", format: "pem" }).toString()] : [];
    return [spki, spki.trimEnd(), ...pkcs1, ...pkcs1.map((pem) => pem.trimEnd()), JSON.stringify(jwk)];
  } catch {
    return []; // no key that the host could verify with either
  }
}
