import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Incoming, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import unsignedTokenAccepted from "./unsigned-token-accepted.ts";

const document = apiDocument({ "/me": { get: {} } }, BEARER);
const me = { json: { email: "ada@larkfield.test" } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };

interface Token {
  readonly alg: string;
  readonly signature: string;
}

const tokenOf = ({ headers }: Incoming): Token | undefined => {
  const [header, , signature] = headers.authorization?.replace("Bearer ", "").split(".") ?? [];
  if (header === undefined || signature === undefined) return undefined;
  return { ...(JSON.parse(Buffer.from(header, "base64url").toString()) as { alg: string }), signature };
};
const believing =
  (accepts: (token: Token) => boolean): Route =>
  (incoming) => {
    const token = tokenOf(incoming);
    return token && accepts(token) ? me : unauthorized;
  };

testCheck(unsignedTokenAccepted, {
  positive: [
    {
      name: "a verifier that believes alg none",
      document,
      target: fakeApi({ "GET /me": believing(({ alg }) => alg === "none") }),
      finding: { severity: "critical", location: { method: "GET", path: "/me" } },
      count: 1,
    },
    {
      name: "a verifier of tokens in a custom header that the document does not declare",
      document: apiDocument({
        "/orders": { get: {} },
        "/me": {
          get: {
            parameters: [
              { name: "X-Access-Token", in: "header", required: false, schema: { type: "string" } },
            ],
          },
        },
      }),
      target: fakeApi({
        "GET /orders": { json: [] },
        "GET /me": (incoming) => {
          const token = incoming.headers["x-access-token"];
          const as = { ...incoming, headers: { authorization: `Bearer ${String(token)}` } };
          return token && tokenOf(as)?.alg === "none" ? me : unauthorized;
        },
      }),
      finding: { location: { method: "GET", path: "/me" } },
    },
    {
      name: "a verifier of a bare Authorization header where no scheme is declared",
      document: apiDocument({ "/me": { get: { security: [] } } }),
      target: fakeApi({
        "GET /me": (incoming) =>
          !incoming.headers.authorization?.startsWith("Bearer") && tokenOf(incoming)?.alg === "none"
            ? me
            : unauthorized,
      }),
    },
    {
      name: "a verifier whose challenge names the scheme of its tokens, beside a document of other keys",
      document: apiDocument(
        { "/me": { get: {} } },
        {
          security: [{ key: [] }],
          components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } } },
        },
      ),
      target: fakeApi({
        "GET /me": (incoming) => {
          const authorization = incoming.headers.authorization?.replace(/^Token /, "Bearer ");
          const isToken = incoming.headers.authorization?.startsWith("Token ");
          return isToken && tokenOf({ ...incoming, headers: { authorization } })?.alg === "none"
            ? me
            : { ...unauthorized, headers: { "www-authenticate": 'Token realm="api"' } };
        },
      }),
    },
    {
      name: "a filter of none that forgets other spellings",
      document,
      target: fakeApi({ "GET /me": believing(({ alg }) => alg !== "none" && alg.toLowerCase() === "none") }),
    },
    {
      name: "a signature that is only verified when there is one",
      document,
      target: fakeApi({ "GET /me": believing(({ signature, alg }) => alg === "HS256" && signature === "") }),
    },
  ],
  negative: [
    { name: "a verifier that refuses them all", document, target: fakeApi({ "GET /me": unauthorized }) },
    {
      name: "an unsigned token that is refused with status 200",
      document,
      target: fakeApi({
        "GET /me": (incoming) =>
          tokenOf(incoming)?.alg === "none" ? { json: { error: "alg not allowed" } } : unauthorized,
      }),
    },
  ],
  inconclusive: [
    {
      name: "a server that verifies no signature, which is another weakness",
      document,
      target: fakeApi({ "GET /me": believing(() => true) }),
    },
    {
      name: "a server that takes any credential, which is another weakness",
      document,
      target: fakeApi({ "GET /me": ({ headers }) => (headers.authorization ? me : unauthorized) }),
    },
    { name: "an operation that is public", document, target: fakeApi({ "GET /me": me }) },
    { name: "a fault", document, target: fakeApi({ "GET /me": { status: 502, body: "Bad gateway" } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /me": { cut: true } }) },
    { name: "an API without reads", document: apiDocument({ "/me": { post: {} } }), target: fakeApi({}) },
  ],
});
