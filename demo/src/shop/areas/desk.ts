import { empty, ok } from "../../response.ts";
import { collection } from "../collection.ts";
import { type ShopRoute, TEXT, both, objectOf, weakness } from "../route.ts";
import { EMAIL } from "./accounts.ts";
import { userWith } from "./sign-in.ts";
import { cleared, issued } from "../cookies.ts";

const TAG = "Desk";

/** The customer desk: browsers sign in with a form, get a cookie, and repeat the value of another in `X-CSRF-Token` with each write. */
export const desk: ShopRoute[] = [
  {
    method: "POST",
    path: "/desk/sign-in",
    access: "public",
    operation: {
      summary: "Sign in to the desk",
      tag: TAG,
      form: objectOf({ email: EMAIL, password: TEXT }),
      limited: true,
    },
    weaknesses: [],
    ...both((call, shop) => {
      const form = new URLSearchParams(call.body);
      const credentials = { email: form.get("email") ?? "", password: form.get("password") ?? "" };
      const user = userWith(credentials, call, shop);
      if (!("id" in user)) return user;
      return empty(303, {
        location: "/shop/desk/me",
        "set-cookie": issued(shop.sessions.startDesk(user.id)),
      });
    }),
  },
  {
    method: "POST",
    path: "/desk/sign-out",
    access: "user",
    operation: { summary: "Sign out of the desk", tag: TAG },
    weaknesses: [],
    traps: ["The cookie is invalid after its user signs out"],
    ...both((call, { sessions }) => {
      sessions.end(call.credential);
      return empty(204, { "set-cookie": cleared() });
    }),
  },
  {
    method: "GET",
    path: "/desk/me",
    access: "user",
    operation: { summary: "Read the customer who is signed in", tag: TAG },
    weaknesses: [],
    ...both(({ user }) => ok({ id: user.id, name: user.name })),
  },
  ...collection({
    table: "messages",
    path: "/desk/messages",
    parameter: "messageId",
    noun: "message",
    tag: TAG,
    fields: { subject: TEXT, text: TEXT },
    weaknesses: {
      read: weakness("bolaAuthorization", "object-read", "Any message to the desk can be read by its id"),
      remove: weakness(
        "bolaAuthorization",
        "object-delete",
        "Any message to the desk can be deleted by its id",
      ),
    },
  }),
];
