import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Incoming, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import tokenSignatureNotVerified from "./token-signature-not-verified.ts";

const document = apiDocument({ "/me": { get: {} } }, BEARER);
const me = { json: { email: "ada@larkfield.test" } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };

/** The header of the bearer token; nothing for what is not a JSON Web Token. */
function headerOf({ headers }: Incoming): { alg?: string } | undefined {
  const [header = "", claims, signature] = headers.authorization?.replace(/^Bearer /, "").split(".") ?? [];
  if (!claims || !signature) return undefined;
  try {
    return JSON.parse(Buffer.from(header, "base64url").toString()) as { alg?: string };
  } catch {
    return undefined;
  }
}

const decoding =
  (accepts: (header: { alg?: string }) => boolean, refusal = unauthorized): Route =>
  (incoming) => {
    const header = headerOf(incoming);
    return header && accepts(header) ? me : incoming.headers.authorization ? refusal : unauthorized;
  };

testCheck(tokenSignatureNotVerified, {
  positive: [
    {
      name: "a server that decodes tokens and verifies none",
      document,
      target: fakeApi({ "GET /me": decoding(() => true) }),
      finding: {
        severity: "critical",
        title: "JWT signature not verified",
        location: { method: "GET", path: "/me" },
      },
      count: 1,
    },
    {
      name: "a server that looks at the algorithm only",
      document,
      target: fakeApi({ "GET /me": decoding(({ alg }) => alg === "RS256") }),
    },
    {
      name: "a server that fails at what is not a token",
      document,
      target: fakeApi({
        "GET /me": decoding(() => true, { status: 500, json: { error: "Not enough segments" } }),
      }),
    },
  ],
  negative: [
    {
      name: "a verifier that refuses every signature",
      document,
      target: fakeApi({ "GET /me": unauthorized }),
    },
    {
      name: "a verifier that is deceived by alg none alone, which is another weakness",
      document,
      target: fakeApi({ "GET /me": decoding(({ alg }) => alg === "none") }),
    },
  ],
  inconclusive: [
    { name: "an operation that is public", document, target: fakeApi({ "GET /me": me }) },
    {
      name: "a server that takes any credential, which is another weakness",
      document,
      target: fakeApi({ "GET /me": ({ headers }) => (headers.authorization ? me : unauthorized) }),
    },
    { name: "a fault", document, target: fakeApi({ "GET /me": { status: 502, body: "Bad gateway" } }) },
  ],
});
