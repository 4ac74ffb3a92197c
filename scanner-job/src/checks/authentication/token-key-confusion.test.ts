import { createHmac, generateKeyPairSync } from "node:crypto";
import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import tokenKeyConfusion from "./token-key-confusion.ts";

const document = apiDocument({ "/me": { get: {} } }, BEARER);
const me = { json: { email: "ada@larkfield.test" } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };
const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
const keys = { json: { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", use: "sig" }] } };

const verifyingWith =
  (key: string): Route =>
  ({ headers }) => {
    const [header, claims, signature] = headers.authorization?.replace("Bearer ", "").split(".") ?? [];
    const expected = createHmac("sha256", key).update(`${header}.${claims}`).digest("base64url");
    return signature === expected ? me : unauthorized;
  };

testCheck(tokenKeyConfusion, {
  positive: [
    {
      name: "a public key that serves as secret",
      document,
      target: fakeApi({ "GET /.well-known/jwks.json": keys, "GET /me": verifyingWith(pem) }),
      finding: { severity: "critical", location: { method: "GET", path: "/me" } },
      count: 1,
    },
    {
      name: "a public key without its last line end, at the address that the metadata names",
      document,
      target: fakeApi({
        "GET /.well-known/openid-configuration": ({ headers }) => ({
          json: { issuer: "x", jwks_uri: `http://${headers.host}/keys/all` },
        }),
        "GET /keys/all": keys,
        "GET /me": verifyingWith(pem.trimEnd()),
      }),
    },
  ],
  negative: [
    {
      name: "a verifier that takes no HMAC",
      document,
      target: fakeApi({ "GET /.well-known/jwks.json": keys, "GET /me": unauthorized }),
    },
  ],
  inconclusive: [
    { name: "a host that publishes no key", document, target: fakeApi({ "GET /me": unauthorized }) },
    {
      name: "keys that are none",
      document,
      target: fakeApi({
        "GET /.well-known/jwks.json": { json: { keys: [{ kty: "oct" }] } },
        "GET /me": unauthorized,
      }),
    },
  ],
});
