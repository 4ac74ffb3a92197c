import { issueWeakToken, weakTokenSubject } from "../accounts.ts";
import { type Clinic, pick } from "../clinic.ts";
import { tooMany } from "../guards.ts";
import { bearer, empty, failure, json, objectIn, ok, textOf, unauthorized } from "../response.ts";
import { type Call, type Route, type Schema, weak } from "../route.ts";

const EMAIL: Schema = { type: "string", maxLength: 120, pattern: "^[^@\\s]+@[^@\\s]+$" };

/** Weaknesses of authentication: login, tokens, and operations without authentication. */
export const authentication: Route[] = [
  {
    method: "GET",
    path: "/v2/appointments",
    access: "user",
    operation: { summary: "List appointments", tag: "Appointments" },
    weaknesses: [weak("authentication", "The OpenAPI document requires a token, the server does not")],
    vulnerable: (_call, clinic) => ok({ appointments: clinic.appointments }),
    hardened: (call, clinic) =>
      ok({ appointments: clinic.appointments.filter((row) => row.owner === call.account?.id) }),
  },
  {
    method: "GET",
    path: "/v2/invoices",
    access: "user",
    operation: { summary: "List invoices", tag: "Invoices" },
    weaknesses: [weak("authentication", "Any bearer token is accepted")],
    vulnerable: (call, clinic) => (bearer(call) ? ok({ invoices: clinic.invoices }) : unauthorized()),
    hardened: (call, clinic) =>
      ok({ invoices: clinic.invoices.filter((row) => row.owner === call.account?.id) }),
  },
  {
    method: "GET",
    path: "/v2/me",
    access: "user",
    operation: { summary: "Who the token belongs to", tag: "Accounts" },
    weaknesses: [
      weak("authentication", "JWTs with `alg: none` are accepted"),
      weak("authentication", "JWTs are signed with a guessable key and never expire"),
    ],
    vulnerable: (call) => {
      const subject = weakTokenSubject(bearer(call) ?? "");
      return subject ? ok({ email: subject, role: "user" }) : unauthorized();
    },
    hardened: (call) => ok({ email: call.account?.email, role: call.account?.role }),
  },
  {
    method: "POST",
    path: "/v2/sessions",
    access: "public",
    operation: {
      summary: "Sign in",
      tag: "Accounts",
      body: {
        type: "object",
        required: ["email", "password"],
        properties: { email: EMAIL, password: { type: "string", maxLength: 200 } },
      },
      responds: { type: "object", properties: { token: { type: "string" } } },
    },
    weaknesses: [
      weak(
        "authentication",
        "User enumeration: the responses to an unknown e-mail address and a wrong password differ",
      ),
      weak("authentication", "Default credentials: the administrator's password is `admin`"),
      weak("rateLimiting", "Login attempts are not limited"),
    ],
    vulnerable: (call, clinic) => {
      const { email, password } = credentials(call);
      const account = clinic.accounts.find((candidate) => candidate.email === email);
      if (!account) return json(404, { error: `No account for ${email}` });
      const known = account.role === "admin" ? "admin" : account.password;
      if (password !== known) return json(401, { error: "Wrong password", attemptsLeft: "unlimited" });
      return json(
        201,
        { token: issueWeakToken(email) },
        { "set-cookie": `session=${account.token}; Path=/` },
      );
    },
    hardened: (call, clinic) => {
      const { allowed, resetSeconds } = clinic.attempts.take(`${call.path} ${call.address}`);
      if (!allowed) return tooMany(resetSeconds);
      const { email, password } = credentials(call);
      const account = clinic.accounts.find((candidate) => candidate.email === email);
      if (!account || account.password !== password) {
        return failure(401, "unauthorized", "The address and the password do not match");
      }
      const cookie = `__Host-session=${account.token}; Path=/; Secure; HttpOnly; SameSite=Strict`;
      return json(201, { token: account.token }, { "set-cookie": cookie });
    },
  },
  {
    method: "POST",
    path: "/v2/password-resets",
    access: "public",
    operation: {
      summary: "Ask for a new password",
      tag: "Accounts",
      body: { type: "object", required: ["email"], properties: { email: EMAIL } },
    },
    weaknesses: [
      weak(
        "authentication",
        "User enumeration: the response depends on whether the e-mail address has an account",
      ),
      weak("rateLimiting", "Password resets are not limited"),
    ],
    vulnerable: (call, clinic) => {
      const email = textOf(objectIn(call).email);
      const known = clinic.accounts.some((account) => account.email === email);
      return known ? json(202, { sent: true }) : json(404, { error: `No account for ${email}` });
    },
    hardened: (call, clinic) => {
      const { allowed, resetSeconds } = clinic.attempts.take(`${call.path} ${call.address}`);
      return allowed ? empty(202) : tooMany(resetSeconds);
    },
  },
  {
    method: "GET",
    path: "/v2/sessions/current",
    access: "user",
    operation: { summary: "The session's own account", tag: "Accounts" },
    weaknesses: [
      weak("authentication", "Session tokens are accepted in the query string, which logs contain"),
    ],
    vulnerable: (call, clinic) => {
      const token = call.query.get("access_token") ?? bearer(call);
      const account = clinic.accounts.find((candidate) => candidate.token === token);
      return account ? ok({ email: account.email }) : unauthorized();
    },
    hardened: (call, clinic) => ok(accountView(call, clinic)),
  },
];

function credentials(call: Call): { email: string; password: string } {
  const { email, password } = objectIn(call);
  return { email: textOf(email), password: textOf(password) };
}

function accountView(call: Call, clinic: Clinic): object {
  const own = clinic.patients.find((row) => row.owner === call.account?.id);
  return { email: call.account?.email, patient: own ? pick(own, ["id", "name"]) : null };
}
