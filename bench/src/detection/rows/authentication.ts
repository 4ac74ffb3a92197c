import { createHmac } from "node:crypto";
import type { Answer, Incoming, Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byBody, reading, secured, taking, unauthorized, type Row } from "../row.ts";

const loan: Answer = { json: { loans: [{ id: "l-7", due: "2031-01-09", reader: "r-12" }] } };
const refusing: Route = unauthorized;

const tokenOf = ({ headers }: Incoming): readonly string[] =>
  headers.authorization?.replace(/^Bearer /, "").split(".") ?? [];

/** The algorithm that a token names; nothing where it is no token. */
function algorithmOf(incoming: Incoming): string | undefined {
  const [header = "", claims, signature] = tokenOf(incoming);
  if (claims === undefined || signature === undefined) return undefined;
  try {
    return (JSON.parse(Buffer.from(header, "base64url").toString()) as { alg?: string }).alg;
  } catch {
    return undefined;
  }
}

const signedWith =
  (key: string): Route =>
  (incoming) => {
    const [header, claims, signature] = tokenOf(incoming);
    const expected = createHmac("sha256", key).update(`${header}.${claims}`).digest("base64url");
    return signature === expected ? loan : unauthorized;
  };

const metadata = (algorithms: readonly string[]): Route => ({
  json: {
    issuer: "https://login.library.test",
    authorization_endpoint: "https://login.library.test/authorize",
    token_endpoint: "https://login.library.test/token",
    jwks_uri: "https://login.library.test/jwks",
    response_types_supported: ["code"],
    id_token_signing_alg_values_supported: algorithms,
    code_challenge_methods_supported: ["S256"],
  },
});

/** Attempts that one client may make, as a door with a limit counts them. */
function limited(answer: Answer, most: number): Route {
  const attempts = new Map<unknown, number>();
  return byBody(({ email }) => {
    attempts.set(email, (attempts.get(email) ?? 0) + 1);
    return [...attempts.values()].reduce((sum, each) => sum + each, 0) > most
      ? { status: 429, headers: { "retry-after": "1" }, json: { error: "Too many attempts" } }
      : answer;
  });
}

const wrong: Answer = { status: 401, json: { error: "The name and the password do not match" } };

export const authenticationRows: readonly Row[] = [
  {
    checks: ["authentication/declared-but-not-enforced"],
    at: "GET /loans",
    document: { "/loans": { get: secured() } },
    weak: { "GET /loans": loan },
    safe: { "GET /loans": refusing },
  },
  {
    checks: ["authentication/garbage-credential-accepted"],
    at: "GET /fines",
    document: { "/fines": { get: secured() } },
    weak: { "GET /fines": ({ headers }) => (headers.authorization ? loan : unauthorized) },
    safe: { "GET /fines": refusing },
  },
  {
    checks: ["authentication/unsigned-token-accepted"],
    at: "GET /reservations",
    document: { "/reservations": { get: secured() } },
    weak: {
      "GET /reservations": (incoming) =>
        algorithmOf(incoming)?.toLowerCase() === "none" ? loan : unauthorized,
    },
    safe: { "GET /reservations": refusing },
  },
  {
    checks: ["authentication/guessable-token-key"],
    at: "GET /wishes",
    document: { "/wishes": { get: secured() } },
    weak: { "GET /wishes": signedWith("secret") },
    safe: { "GET /wishes": signedWith("0Zk1qvV9c3b2rXn8Lw") },
  },
  {
    checks: ["authentication/login-enumeration"],
    at: "POST /login",
    document: { "/login": { post: taking("username", "password") } },
    weak: {
      "POST /login": byBody(({ username }) =>
        username === "admin"
          ? { status: 401, json: { error: "Wrong password" } }
          : { status: 401, json: { error: "There is no such account" } },
      ),
    },
    safe: { "POST /login": limited(wrong, 12) },
    alsoTrue: { "rate-limiting/login-throttling": "it counts no attempts" },
  },
  {
    checks: ["rate-limiting/login-throttling"],
    at: "POST /sessions",
    document: { "/sessions": { post: taking("email", "password") } },
    weak: { "POST /sessions": byBody(() => wrong) },
    safe: { "POST /sessions": limited(wrong, 5) },
  },
  {
    checks: ["authentication/credential-in-query"],
    at: "GET /feed",
    document: { "/feed": reading("access_token") },
    safeDocument: { "/feed": reading("page_token") },
    weak: { "GET /feed": { json: { entries: [] } } },
    safe: { "GET /feed": { json: { entries: [] } } },
  },
  {
    checks: ["authentication/oidc-metadata"],
    at: "GET /.well-known/openid-configuration",
    weak: { "GET /.well-known/openid-configuration": metadata(["RS256", "none"]) },
    safe: { "GET /.well-known/openid-configuration": metadata(["RS256"]) },
    alsoTrue: { "authentication/oidc-metadata": "the same, said of the entry" },
  },
  {
    checks: ["authentication/session-cookie-flags", "encryption/cookie-secure"],
    at: "GET /",
    document: { "/basket": { get: {} } },
    weak: { "GET /basket": { json: { items: [] }, headers: { "set-cookie": "session=4f1c9a2b; Path=/" } } },
    safe: {
      "GET /basket": {
        json: { items: [] },
        headers: { "set-cookie": "__Host-session=4f1c9a2b; Path=/; Secure; HttpOnly; SameSite=Lax" },
      },
    },
    alsoTrue: {
      "authentication/session-cookie-flags": "the cookie lacks HttpOnly and SameSite",
      "encryption/cookie-secure": "the cookie lacks Secure",
    },
  },
];
