import { ApiError, hashSecret, newToken } from "@glovebox/contract";
import type { Session } from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { Reply } from "../http/respond.ts";
import { giveChallenge, noChallenge, takeChallenge } from "./challenge-cookie.ts";
import { redirect } from "./layout.ts";
import { createUserPage, type PageRequest } from "./page.ts";
import { registeredPasskey, registrationOptions } from "./passkeys.ts";
import { passwordProblem } from "./passwords.ts";
import { profileContent } from "./profile-content.ts";
import { sessionCookie } from "./session-cookie.ts";

const MAX_NAME = 60;

type UserRequest = PageRequest & { readonly session: Session };

/** What a user has to sign in with: password, passkeys, providers and sessions. */
export const getProfile = createUserPage({
  method: "get",
  path: "/profile",
  handler: (request, services) => profilePage(request, services),
});

/** Asks for the present password, ends all other sessions, and gives this one another token. */
export const postPassword = createUserPage({
  method: "post",
  path: "/profile/password",
  async handler(request, services) {
    const { form, session, ip } = request;
    const { store, signIn } = services;
    if (!signIn.acceptsPasswords) throw new ApiError("forbidden", "Passwords are off.");
    const user = await store.users.findById(session.user.id);
    await signIn.throttle({ address: ip, name: session.user.email });
    const isRight = await signIn.passwords.verify(form.get("current") ?? "", user?.passwordHash);
    const password = form.get("password") ?? "";
    const problem = isRight ? passwordProblem(password) : "The present password is wrong.";
    if (problem !== undefined) return profilePage(request, services, problem);
    await store.users.setPassword(session.user.id, await signIn.passwords.hash(password), session.sessionId);
    return redirect("/profile?done=password", [await newSessionToken(services, session)]);
  },
});

export const postPasskeyRegistration = createUserPage({
  method: "post",
  path: "/profile/passkeys",
  async handler(request, services) {
    const { form, session, cookie, publicUrl } = request;
    const { store } = services;
    const challenge = await takeChallenge(store, cookie, "registration");
    if (challenge?.userId !== session.user.id)
      return profilePage(request, services, "That took too long. Try again.");
    const passkey = await registeredPasskey(form.get("answer") ?? "", challenge.challenge, publicUrl);
    const name = form.get("name")?.trim().slice(0, MAX_NAME) || "Passkey";
    if (!passkey || !(await store.passkeys.add({ ...passkey, name, userId: session.user.id })))
      return profilePage(request, services, "That passkey was not accepted.");
    // Sessions that never showed a passkey end; this one has just shown it.
    await store.sessions.deleteAllOfUser(session.user.id, session.sessionId);
    const cookies = [noChallenge(), await newSessionToken(services, session, true)];
    return redirect("/profile?done=passkey", cookies);
  },
});

export const postPasskeyRemoval = createUserPage({
  method: "post",
  path: "/profile/passkeys/remove",
  async handler({ form, session }, { store }) {
    await store.passkeys.remove(session.user.id, form.get("id") ?? "");
    return redirect("/profile?done=removed");
  },
});

export const postSessionEnd = createUserPage({
  method: "post",
  path: "/profile/sessions/end",
  async handler({ form, session }, { store }) {
    const id = form.get("id") ?? "";
    const sessions = await store.sessions.list(session.user.id);
    if (sessions.some((own) => own.id === id)) await store.sessions.delete(session.user.id, id);
    return redirect("/profile?done=ended");
  },
});

/** Gives the session another token; the value of Set-Cookie. */
async function newSessionToken(
  { store }: Services,
  { sessionId }: Session,
  hasSecondFactor?: boolean,
): Promise<string> {
  const token = newToken();
  const more = hasSecondFactor === undefined ? {} : { hasSecondFactor };
  await store.sessions.rotate(sessionId, { sha256: hashSecret(token), ...more });
  return sessionCookie(token);
}

async function profilePage(
  request: UserRequest,
  { store, signIn }: Services,
  problem?: string,
): Promise<Reply> {
  const { session, publicUrl, query, show } = request;
  const userId = session.user.id;
  const [user, passkeys, sessions] = await Promise.all([
    store.users.findById(userId),
    store.passkeys.list(userId),
    store.sessions.list(userId),
  ]);
  const { challenge, options } = await registrationOptions({ ...session.user }, passkeys, publicUrl);
  const cookie = await giveChallenge(store, { userId, purpose: "registration", challenge });
  return show({
    title: "Your profile",
    isWide: true,
    usesPasskeys: true,
    status: problem === undefined ? 200 : 400,
    cookies: [cookie],
    body: profileContent({
      ...{ session, passkeys, sessions, signIn, problem, passkeyOptions: options },
      hasPassword: typeof user?.passwordHash === "string",
      done: query.get("done"),
    }),
  });
}
