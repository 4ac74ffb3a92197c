import type { RequestListener } from "node:http";
import type { IdentityInput } from "@glovebox/contract";
import { fakeApi, type FakeResponse, type Incoming, type Route } from "./fake-api.ts";

/** A user of a test target. */
export interface TestUser {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly role: "user" | "admin";
  readonly tenant: string;
}

const aUser = (id: number, username: string, rest: Partial<TestUser> = {}): TestUser => ({
  ...{ id, username, email: `${username}@users.example`, role: "user", tenant: "acme" },
  ...rest,
});

export const USERS = {
  alice: aUser(11, "alice"),
  bob: aUser(12, "robert"),
  admin: aUser(1, "root", { role: "admin" }),
};
const TOKENS = new Map<string, TestUser>(
  Object.entries(USERS).map(([name, user]) => [`Bearer opaque-token-of-${name}`, user]),
);

/** The identity of a user of the test target. */
export const identityOf = (name: keyof typeof USERS, rest: Partial<IdentityInput> = {}): IdentityInput => ({
  name,
  role: USERS[name].role,
  headers: { Authorization: `Bearer opaque-token-of-${name}` },
  ...rest,
});

export const ALICE_AND_BOB: readonly IdentityInput[] = [identityOf("alice"), identityOf("bob")];

/** What a route of the target returns to one of its users. */
export type UserRoute = (user: TestUser, incoming: Incoming) => FakeResponse;

export const NOT_FOUND: FakeResponse = { status: 404, json: { error: "Not found" } };
export const FORBIDDEN: FakeResponse = { status: 403, json: { error: "Forbidden" } };

/** A test target whose routes need a token, besides those in `open`; `GET /me` returns the caller. */
export function usersApi(
  routes: Readonly<Record<string, UserRoute>>,
  open: Readonly<Record<string, Route>> = {},
): RequestListener {
  const guarded = Object.entries<UserRoute>({ "GET /me": (user) => ({ json: user }), ...routes }).map(
    ([key, route]): [string, Route] => [
      key,
      (incoming) => {
        const user = TOKENS.get(incoming.headers.authorization ?? "");
        return user ? route(user, incoming) : { status: 401, json: { error: "Sign in first" } };
      },
    ],
  );
  return fakeApi({ ...Object.fromEntries(guarded), ...open });
}
