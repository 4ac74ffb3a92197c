import { createHmac, createPublicKey, verify, type JsonWebKey } from "node:crypto";
import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import tokenHeaderInjection from "./token-header-injection.ts";

const document = apiDocument({ "/me": { get: {} } }, BEARER);
const me = { json: { email: "ada@larkfield.test" } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };

interface Header {
  readonly alg?: string;
  readonly kid?: string;
  readonly jwk?: JsonWebKey;
}
type Believes = (token: { header: Header; unsigned: string; signature: string }) => boolean;

const verifying =
  (believes: Believes): Route =>
  ({ headers }) => {
    const [header = "", claims = "", signature = ""] =
      headers.authorization?.replace("Bearer ", "").split(".") ?? [];
    if (claims === "") return unauthorized;
    const read = JSON.parse(Buffer.from(header, "base64url").toString()) as Header;
    return believes({ header: read, unsigned: `${header}.${claims}`, signature }) ? me : unauthorized;
  };
const isSignedBy = (key: string, unsigned: string, signature: string): boolean =>
  createHmac("sha256", key).update(unsigned).digest("base64url") === signature;

testCheck(tokenHeaderInjection, {
  positive: [
    {
      name: "keys that are files, of which one is empty",
      document,
      target: fakeApi({
        "GET /me": verifying(
          ({ header, unsigned, signature }) =>
            header.kid?.endsWith("/dev/null") === true && isSignedBy("", unsigned, signature),
        ),
      }),
      finding: { severity: "critical", location: { method: "GET", path: "/me" } },
      count: 1,
    },
    {
      name: "keys that are rows of a query",
      document,
      target: fakeApi({
        "GET /me": verifying(({ header, unsigned, signature }) => {
          const row = /UNION SELECT '([^']*)'/.exec(header.kid ?? "")?.[1];
          return row !== undefined && isSignedBy(row, unsigned, signature);
        }),
      }),
    },
    {
      name: "keys that the token brings",
      document,
      target: fakeApi({
        "GET /me": verifying(
          ({ header, unsigned, signature }) =>
            header.jwk !== undefined &&
            header.alg === "RS256" &&
            verify(
              "sha256",
              Buffer.from(unsigned),
              createPublicKey({ key: header.jwk, format: "jwk" }),
              Buffer.from(signature, "base64url"),
            ),
        ),
      }),
    },
  ],
  negative: [
    {
      name: "a key that the header does not decide",
      document,
      target: fakeApi({
        "GET /me": verifying(({ unsigned, signature }) => isSignedBy("kX0pW3vZr8", unsigned, signature)),
      }),
    },
  ],
  inconclusive: [
    {
      name: "a server that takes any token, which is another weakness",
      document,
      target: fakeApi({ "GET /me": verifying(() => true) }),
    },
    { name: "a fault", document, target: fakeApi({ "GET /me": { status: 500, json: {} } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /me": { cut: true } }) },
  ],
});
