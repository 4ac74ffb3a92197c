import { createHmac, generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import type { FakeResponse, Incoming, Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byBody, reading, secured, taking, unauthorized, type Host, type Row } from "../row.ts";
import { hostRow } from "./hosts.ts";

const loan: FakeResponse = { json: { loans: [{ id: "l-7", due: "2031-01-09", reader: "r-12" }] } };
const refusing: Route = unauthorized;

const tokenOf = ({ headers }: Incoming): readonly string[] =>
  headers.authorization?.replace(/^Bearer /, "").split(".") ?? [];

/** The header of a token; nothing where it is not a token. */
function headerOf(incoming: Incoming): { alg?: string; kid?: string } | undefined {
  const [header = "", claims, signature] = tokenOf(incoming);
  if (claims === undefined || signature === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(header, "base64url").toString()) as { alg?: string; kid?: string };
  } catch {
    return undefined;
  }
}

const signedWith =
  (key: string): ((incoming: Incoming) => FakeResponse) =>
  (incoming) => {
    const [header, claims, signature] = tokenOf(incoming);
    const expected = createHmac("sha256", key).update(`${header}.${claims}`).digest("base64url");
    return signature === expected ? loan : unauthorized;
  };

const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = publicKey.export({ type: "spki", format: "pem" }).toString();
const KEYS: Route = {
  json: { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", use: "sig" }] },
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

/** A door that refuses everybody after a number of attempts, as one with a limit does. */
function limited(response: FakeResponse, max: number, refusal: FakeResponse): Route {
  let attempts = 0;
  return byBody(() => (++attempts > max ? refusal : response));
}

const keyInAuthorization: Host = {
  securitySchemes: { key: { type: "apiKey", in: "header", name: "Authorization" } },
};

const TOO_MANY: FakeResponse = { status: 429, json: { error: "Too many attempts" } };
const LOCKED: FakeResponse = {
  status: 403,
  json: { error: "Too many attempts: the account is locked for an hour" },
};

const wrong: FakeResponse = { status: 401, json: { error: "The name and the password do not match" } };

const refusingAtRandom = (): FakeResponse => ({
  status: 401,
  json: { error: `That is not the password (${randomBytes(12).toString("base64url")})`, trace: randomUUID() },
});

/** A log-in that locks each name after five failures; `isRight` says which pairs sign in. */
function locking(isRight: (user: unknown, password: unknown) => boolean): Route {
  const failures = new Map<unknown, number>();
  return byBody(({ username, password }) => {
    if (isRight(username, password)) return { json: { token: "k3J9sLq0vB7nX2aZpQ4t" } };
    const count = (failures.get(username) ?? 0) + 1;
    failures.set(username, count);
    return count > 5 ? LOCKED : wrong;
  });
}

export const authenticationRows: readonly Row[] = [
  {
    checks: ["authentication/default-credentials"],
    at: "POST /staff/login",
    document: { "/staff/login": { post: taking("username", "password") } },
    // No trial begins with the names that another one locked.
    get weak() {
      return { "POST /staff/login": locking((user, password) => user === "admin" && password === "admin") };
    },
    get safe() {
      return { "POST /staff/login": locking(() => false) };
    },
  },
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
  hostRow({
    checks: ["authentication/garbage-credential-accepted"], // declared as OpenAPI 2.0 declares bearer tokens
    at: "GET /renewals",
    document: { "/renewals": { get: { security: [{ key: [] }] } } },
    weak: {
      "GET /renewals": ({ headers }) => (headers.authorization?.startsWith("Bearer ") ? loan : unauthorized),
    },
    safe: { "GET /renewals": refusing },
    host: { weak: keyInAuthorization, safe: keyInAuthorization },
  }),
  {
    checks: ["authentication/token-signature-not-verified"],
    at: "GET /memberships",
    document: { "/memberships": { get: secured() } },
    weak: { "GET /memberships": (incoming) => (headerOf(incoming) ? loan : unauthorized) },
    safe: { "GET /memberships": signedWith("0Zk1qvV9c3b2rXn8Lw") },
  },
  {
    checks: ["authentication/unsigned-token-accepted"],
    at: "GET /reservations",
    document: { "/reservations": { get: secured() } },
    weak: {
      "GET /reservations": (incoming) =>
        headerOf(incoming)?.alg?.toLowerCase() === "none" ? loan : unauthorized,
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
    checks: ["authentication/token-key-confusion"],
    at: "GET /notices",
    document: { "/notices": { get: secured() } },
    weak: { "GET /.well-known/jwks.json": KEYS, "GET /notices": signedWith(PEM) },
    safe: { "GET /.well-known/jwks.json": KEYS, "GET /notices": refusing },
  },
  {
    checks: ["authentication/token-header-injection"],
    at: "GET /keepsakes",
    document: { "/keepsakes": { get: secured() } },
    weak: {
      // The key is the content of the file that `kid` names.
      "GET /keepsakes": (incoming) =>
        headerOf(incoming)?.kid?.endsWith("/dev/null") ? signedWith("")(incoming) : unauthorized,
    },
    safe: { "GET /keepsakes": signedWith("0Zk1qvV9c3b2rXn8Lw") },
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
    safe: { "POST /login": limited(wrong, 12, LOCKED) },
    alsoTrue: { "rate-limiting/login-throttling": "it counts no attempts" },
  },
  {
    checks: ["rate-limiting/login-throttling"],
    at: "POST /sessions",
    document: { "/sessions": { post: taking("email", "password") } },
    weak: { "POST /sessions": byBody(() => wrong) },
    safe: { "POST /sessions": limited(wrong, 5, TOO_MANY) },
  },
  {
    checks: ["rate-limiting/login-throttling"], // with other words in every refusal
    at: "POST /kiosk/login",
    document: { "/kiosk/login": { post: taking("email", "password") } },
    weak: { "POST /kiosk/login": byBody(() => refusingAtRandom()) },
    safe: { "POST /kiosk/login": limited(wrong, 5, TOO_MANY) },
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
  {
    checks: ["authentication/account-enumeration"],
    at: "POST /register",
    document: { "/register": { post: taking("username", "password") }, "/poets": { get: {} } },
    weak: {
      "GET /poets": { json: [{ username: "ada" }, { username: "grace" }] },
      "POST /register": byBody(({ username }) =>
        username === "ada" || username === "grace"
          ? { status: 409, json: { error: "This user already exists" } }
          : { status: 400, json: { error: "A password of eight characters is required" } },
      ),
    },
    safe: {
      "GET /poets": { json: [{ username: "ada" }, { username: "grace" }] },
      // It validates the form of a registration, and then says the same regardless of whom it is for.
      "POST /register": byBody(({ password }) =>
        typeof password === "string" && password.length >= 8
          ? { status: 202, json: { message: "Look into your mail" } }
          : { status: 400, json: { error: "A password of eight characters is required" } },
      ),
    },
  },
  {
    checks: ["authentication/registration-without-password"],
    at: "POST /members/signup",
    document: { "/members/signup": { post: taking("email", "password") } },
    weak: { "POST /members/signup": byBody((body) => ({ status: 201, json: { id: 41, ...body } })) },
    safe: {
      "POST /members/signup": byBody(({ password }) =>
        password === undefined
          ? { status: 422, json: { error: "password is required" } }
          : { status: 201, json: { id: 41 } },
      ),
    },
  },
];
