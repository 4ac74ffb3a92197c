import { createHmac } from "node:crypto";
import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { signedToken } from "../../attacks/forged-tokens.ts";
import { testCheck } from "../../testing/test-check.ts";
import guessableTokenKey from "./guessable-token-key.ts";

const document = apiDocument({ "/me": { get: {} } }, BEARER);
const me = { json: { email: "ada@larkfield.test" } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };
const verifyingWith =
  (key: string): Route =>
  ({ headers }) => {
    const [header, claims, signature] = headers.authorization?.replace("Bearer ", "").split(".") ?? [];
    const expected = createHmac("sha256", key).update(`${header}.${claims}`).digest("base64url");
    return signature === expected ? me : unauthorized;
  };

testCheck(guessableTokenKey, {
  positive: [
    {
      name: "tokens signed with the key of every tutorial",
      document,
      target: fakeApi({ "GET /me": verifyingWith("secret") }),
      finding: { severity: "critical", location: { method: "GET", path: "/me" } },
      count: 1,
    },
    {
      name: "a token of an example response that fits a common key",
      document: apiDocument({ "/demo": { get: {} } }),
      target: fakeApi({ "GET /demo": { json: { token: signedToken("keyboardcat", { sub: "1" }) } } }),
      finding: { location: { method: "GET", path: "/demo" } },
      count: 1,
    },
    { name: "tokens signed with no key at all", document, target: fakeApi({ "GET /me": verifyingWith("") }) },
  ],
  negative: [
    {
      name: "an unknown key",
      document,
      target: fakeApi({ "GET /me": verifyingWith("0Zk1qvV9c3b2rXn8Lw") }),
    },
  ],
  inconclusive: [
    { name: "an operation that is public", document, target: fakeApi({ "GET /me": me }) },
    {
      name: "a server that takes any token, which is another weakness",
      document,
      target: fakeApi({ "GET /me": ({ headers }) => (headers.authorization ? me : unauthorized) }),
    },
    { name: "a fault", document, target: fakeApi({ "GET /me": { status: 500, json: {} } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /me": { cut: true } }) },
  ],
});
