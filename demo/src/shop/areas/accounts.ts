import { empty, failure, json, objectIn, ok, textOf } from "../../response.ts";
import type { Schema } from "../../route.ts";
import { tooMany } from "../../guards.ts";
import { only } from "../rows.ts";
import { type ShopHandle, type ShopRoute, TEXT, UUID, both, objectOf, weakness } from "../route.ts";
import { newUser } from "../users.ts";

export const EMAIL: Schema = { type: "string", maxLength: 120, pattern: "^[^@\\s]+@[^@\\s]+$" };
const PASSWORD: Schema = { type: "string", minLength: 8, maxLength: 100, pattern: "^.{8,}$" };
const ACCOUNT = objectOf({
  id: UUID,
  name: TEXT,
  email: EMAIL,
  role: TEXT,
  tenant: TEXT,
  title: TEXT,
  bankAccount: TEXT,
  credit: { type: "integer" },
});
const OWN_FIELDS = Object.keys(ACCOUNT["properties"] as object);
const TAG = "Accounts";

/** No telephone of the demonstration has been sent one. */
const WRONG_CODE = failure(403, "forbidden", "The code is wrong or has expired");

/** Registers a user, and stores these further members of the body. */
const registered =
  (names: readonly string[]): ShopHandle =>
  (call, { users, registrations }) => {
    const { allowed, resetSeconds } = registrations.take(call.address);
    if (!allowed) return tooMany(resetSeconds);
    const { name, email, password, ...others } = objectIn(call);
    const user = newUser({ name: textOf(name), email: textOf(email), password: textOf(password) });
    // The response to an address that has an account is the same, so that it does not tell.
    if (!users.some((each) => each.email === email)) users.push(Object.assign(user, only(others, names)));
    return json(201, { registered: email });
  };

/** A caller's own account. */
export const accounts: ShopRoute[] = [
  {
    method: "POST",
    path: "/v2/registrations",
    access: "public",
    operation: {
      summary: "Register",
      tag: TAG,
      body: { ...objectOf({ name: TEXT, email: EMAIL, password: PASSWORD }), additionalProperties: true },
      limited: true,
    },
    weaknesses: [
      weakness(
        "propertyAuthorization",
        "mass-assignment",
        "Mass assignment: a `tenant` in the body is stored, and shows the members of any company",
      ),
    ],
    traps: ["A `role` in the body is accepted and ignored"],
    vulnerable: registered(["tenant"]),
    hardened: registered([]),
  },
  {
    method: "GET",
    path: "/v2/me",
    access: "user",
    operation: {
      summary: "Read the caller's account",
      tag: TAG,
      responds: ACCOUNT,
    },
    weaknesses: [],
    ...both(({ user }) => ok(only(user, OWN_FIELDS))),
  },
  {
    method: "PATCH",
    path: "/v2/me",
    access: "user",
    operation: {
      summary: "Change the caller's name",
      tag: TAG,
      body: { ...objectOf({ name: TEXT }), additionalProperties: true },
      responds: ACCOUNT,
    },
    weaknesses: [
      weakness(
        "propertyAuthorization",
        "mass-assignment",
        "Mass assignment: `role`, `tenant` and `credit` are stored",
      ),
    ],
    vulnerable: (call) =>
      ok(
        only(
          Object.assign(call.user, only(objectIn(call), ["name", "role", "tenant", "credit"])),
          OWN_FIELDS,
        ),
      ),
    hardened: (call) => ok(only(Object.assign(call.user, only(objectIn(call), ["name"])), OWN_FIELDS)),
  },
  {
    method: "DELETE",
    path: "/v2/me",
    access: "user",
    operation: { summary: "Delete the caller's account", tag: TAG },
    weaknesses: [],
    ...both(({ user }, { users, sessions }) => {
      users.splice(users.indexOf(user), 1);
      sessions.endAllOf(user.id);
      return empty(204);
    }),
  },
  {
    method: "PUT",
    path: "/v2/me/password",
    access: "user",
    operation: {
      summary: "Change the password",
      tag: TAG,
      body: objectOf({ current: TEXT, password: PASSWORD }),
    },
    weaknesses: [
      weakness(
        "authentication",
        "token-after-password-change",
        "Access tokens remain valid after the password is changed",
      ),
    ],
    ...both((call, { sessions }) => {
      const { current, password } = objectIn(call);
      if (current !== call.user.password) return failure(403, "forbidden", "The current password is wrong");
      call.user.password = textOf(password);
      sessions.endAllOf(call.user.id);
      return empty(204);
    }),
  },
  {
    method: "POST",
    path: "/v2/me/phone/verify",
    access: "user",
    operation: {
      summary: "Confirm the telephone with the code that was sent to it",
      tag: TAG,
      body: objectOf({ code: { type: "string", pattern: "^\\d{6}$", example: "000000" } }),
      limited: true,
    },
    weaknesses: [
      weakness("rateLimiting", "code-guessing", "Codes of six digits can be tried without a limit"),
    ],
    vulnerable: () => WRONG_CODE,
    hardened: ({ user }, { throttle }) => {
      const key = `code of ${user.id}`;
      const seconds = throttle.secondsLeft(key);
      if (seconds > 0) return tooMany(seconds);
      throttle.failed(key);
      return WRONG_CODE;
    },
  },
  {
    method: "GET",
    path: "/v2/me/preferences",
    access: "user",
    operation: { summary: "Read the caller's preferences", tag: TAG },
    weaknesses: [],
    ...both(({ user }) => ok({ language: user["language"] ?? "en" })),
  },
  {
    method: "PUT",
    path: "/v2/me/preferences",
    access: "user",
    operation: {
      summary: "Change the preferences",
      tag: TAG,
      body: {
        ...objectOf({ language: { type: "string", enum: ["en", "de", "fr"] } }),
        additionalProperties: true,
      },
    },
    weaknesses: [],
    traps: ["A `role` in the body is accepted and ignored"],
    ...both((call) => {
      call.user.language = objectIn(call)["language"];
      return ok({ language: call.user.language, role: call.user.role });
    }),
  },
];
