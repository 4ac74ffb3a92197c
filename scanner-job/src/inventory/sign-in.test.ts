import { expect, it } from "vitest";
import type { Field } from "./operation.ts";
import { isOneTimeCode, isRegistration, signInFields } from "./sign-in.ts";

const field = (name: string): Field => ({
  path: name,
  name,
  type: "string",
  readOnly: false,
  required: true,
});
const bodyOf = (names: string) => ({
  mediaType: "application/json",
  required: true,
  sample: {},
  fields: names.split(" ").map(field),
  closed: false,
});

it.each([
  ["/login", "email password"],
  ["/api/v1/auth/login", "username passwd"],
  ["/users/sign_in", "login pwd"],
  ["/rest/user/login", "email password rememberMe"],
  ["/customerLogin", "phone_number pass"],
  ["/oauth/token", "grant_type username password"],
  ["/auth/jwt/create", "email password"],
  ["/api-token-auth/", "username password"],
  ["/sessions", "emailAddress userPassword"],
  ["/anmelden", "benutzername passwort"],
  ["/connexion", "identifiant mot_de_passe"],
  ["/iniciar-sesion", "usuario contrasena"],
  ["/entrar", "usuario senha"],
  ["/login.php", "uname pass"],
])("POST %s of %s signs in", (path, names) => {
  const found = signInFields({ method: "POST", path, body: bodyOf(names) });
  expect([found?.user.name, found?.password.name].every((name) => names.split(" ").includes(name!))).toBe(
    true,
  );
});

it("an operation is a sign-in by its operationId", () => {
  const facts = { method: "POST", path: "/v1/rpc", body: bodyOf("user password") };
  expect(signInFields({ ...facts, operationId: "loginUser" })).toBeDefined();
  expect(signInFields({ ...facts, operationId: "createUser" })).toBeUndefined();
});

it.each([
  ["POST", "/auth/register", "email password"],
  ["POST", "/users", "email password"],
  ["POST", "/signup/login-data", "email password passwordConfirmation"],
  ["POST", "/auth/token", "email new_password password"],
  ["POST", "/login", "email code"],
  ["GET", "/login", "email password"],
  ["POST", "/login-history", "email password"],
  ["POST", "/login", "username password firstName lastName"],
  ["POST", "/auth", "email password acceptTerms"],
  ["POST", "/register/session", "email password"],
])("%s %s of %s does not", (method, path, names) => {
  expect(signInFields({ method, path, body: bodyOf(names) })).toBeUndefined();
});

it.each([
  ["/login", { summary: "Sign up with a password" }, false],
  ["/login", { summary: "Registers an account" }, false],
  ["/login", { summary: "Log in a registered user" }, true],
  ["/auth", { operationId: "registerUser" }, false],
  ["/sessions", { operationId: "createUserSession" }, true],
])("POST %s with %j signs in: %s", (path, named, expected) => {
  const facts = { method: "POST", path, body: bodyOf("email password"), ...named };
  expect(signInFields(facts) !== undefined).toBe(expected);
  expect(isRegistration(facts)).toBe(!expected);
});

it.each([
  ["POST", "/users", true],
  ["POST", "/api/sign-up", true],
  ["POST", "/orders", false],
  ["POST", "/login", false],
  ["GET", "/register", false],
])("%s %s registers an account: %s", (method, path, expected) =>
  expect(isRegistration({ method, path, body: bodyOf("email password") })).toBe(expected),
);

it.each(["otp", "verification_code", "mfaCode", "one_time_password", "resetCode", "emailToken"])(
  "%s is a code that is good for once",
  (name) => expect(isOneTimeCode(name)).toBe(true),
);
it.each(["country_code", "postcode", "token", "zip"])("%s is none", (name) =>
  expect(isOneTimeCode(name)).toBe(false),
);
