import { tooMany } from "../../guards.ts";
import { empty, failure, invalid, json, objectIn, textOf } from "../../response.ts";
import type { RouteResponse } from "../../route.ts";
import { type ShopCall, type ShopRoute, TEXT, both, objectOf, weakness } from "../route.ts";
import type { Shop } from "../shop.ts";
import type { User } from "../users.ts";
import { EMAIL } from "./accounts.ts";

const TAG = "Sessions";

/** Sign-in with a JSON body, short-lived access tokens, and refresh tokens that are replaced at each use. */
export const signIn: ShopRoute[] = [
  {
    method: "POST",
    path: "/v2/sessions",
    access: "public",
    operation: {
      summary: "Sign in",
      tag: TAG,
      body: objectOf({ email: EMAIL, password: TEXT }),
      responds: objectOf({
        data: objectOf({ session: objectOf({ accessToken: TEXT, refreshToken: TEXT }) }),
      }),
      limited: true,
    },
    weaknesses: [
      weakness("authentication", "token-after-expiry", "Access tokens are accepted after they have expired"),
    ],
    ...both((call, shop) => {
      const { email, password } = objectIn(call);
      const user = userWith({ email: textOf(email), password: textOf(password) }, call, shop);
      return "id" in user ? json(201, { data: { session: shop.sessions.start(user.id) } }) : user;
    }),
  },
  {
    method: "POST",
    path: "/v2/sessions/refresh",
    access: "public",
    operation: { summary: "Renew an access token", tag: TAG, body: objectOf({ refreshToken: TEXT }) },
    weaknesses: [weakness("authentication", "refresh-token-reuse", "A refresh token can be used twice")],
    ...both((call, { sessions }) => {
      const session = sessions.renew(textOf(objectIn(call)["refreshToken"]));
      return session ? json(201, { data: { session } }) : failure(401, "unauthorized", "Sign in again");
    }),
  },
  {
    method: "DELETE",
    path: "/v2/sessions/current",
    access: "user",
    operation: { summary: "Sign out", tag: TAG },
    weaknesses: [
      weakness(
        "authentication",
        "token-after-sign-out",
        "Access tokens remain valid after their user signs out",
      ),
    ],
    ...both((call, { sessions }) => {
      sessions.end(call.credential);
      return empty(204);
    }),
  },
];

/** The user with these credentials, or the refusal. */
export function userWith(
  { email, password }: Pick<User, "email" | "password">,
  call: ShopCall,
  { users, throttle }: Shop,
): User | RouteResponse {
  if (email === "" || password === "") return invalid("email and password: are required");
  const key = `${call.address} ${email.toLowerCase()}`;
  const secondsLeft = throttle.secondsLeft(key);
  if (secondsLeft > 0) return tooMany(secondsLeft);
  const user = users.find((candidate) => candidate.email === email.toLowerCase());
  if (user?.password !== password) {
    throttle.failed(key);
    return failure(401, "unauthorized", "The address and the password do not match");
  }
  throttle.succeeded(key);
  return user;
}
