import { ApiError } from "@glovebox/contract";
import { actorOf } from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { HttpResponse } from "../http/respond.ts";
import { countAttempt } from "./attempts.ts";
import { giveChallenge, newSessionToken, noChallenge, takeChallenge } from "./sign-in-cookies.ts";
import { endSession } from "./end-session.ts";
import { redirect } from "./layout.ts";
import { createConfirmedPage, createUserPage, type UserRequest } from "./page.ts";
import { registeredPasskey, registrationOptions } from "./passkeys.ts";
import { passwordProblem } from "./passwords.ts";
import { profileContent } from "./profile-content.ts";
import { proofsOf } from "./proofs.ts";

const MAX_NAME = 60;

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
    const { form, session } = request;
    const { store, signIn } = services;
    const { id, email } = session.user;
    if (!signIn.acceptsPasswords) throw new ApiError("forbidden", "Passwords are off.");
    const user = await store.users.findById(id);
    const waiting = await countAttempt(request, services, { subject: email, userId: id });
    const isRight = await signIn.passwords.verify(form.get("current") ?? "", user?.passwordHash, waiting);
    const password = form.get("password") ?? "";
    const problem = isRight ? passwordProblem(password) : "The current password is wrong.";
    if (problem !== undefined) return profilePage(request, services, problem);
    const hash = await signIn.passwords.hash(password);
    await changing(
      request,
      store,
    )(async ({ users }) => {
      await users.setPassword(id, hash, session.sessionId);
      return { result: undefined, entry: { action: "user.setPassword", subject: email } };
    });
    return redirect("/profile?done=password", [await newSessionToken(store, session)]);
  },
});

export const postPasskeyRegistration = createConfirmedPage({
  method: "post",
  path: "/profile/passkeys",
  async handler(request, services) {
    const { form, session, cookie, publicUrl } = request;
    const { store } = services;
    const challenge = await takeChallenge(store, cookie, "registration");
    if (challenge?.userId !== session.user.id)
      return profilePage(request, services, "That took too long. Try again.");
    const passkey = await registeredPasskey(form.get("answer") ?? "", challenge.challenge, publicUrl);
    const name = [...(form.get("name")?.trim() ?? "")].slice(0, MAX_NAME).join("") || "Passkey";
    const isAdded =
      passkey !== undefined &&
      (await changing(
        request,
        store,
      )(async ({ passkeys, sessions }) => {
        if (!(await passkeys.add({ ...passkey, name, userId: session.user.id })))
          return { result: false, entry: null };
        // Sessions that never showed a passkey end; this one has just shown it.
        await sessions.deleteAllOfUser(session.user.id, session.sessionId);
        const entry = { action: "user.addPasskey", subject: session.user.email, after: { name } };
        return { result: true, entry };
      }));
    if (!isAdded) return profilePage(request, services, "That passkey was not accepted.");
    const cookies = [noChallenge(), await newSessionToken(store, session, { hasSecondFactor: true })];
    return redirect("/profile?done=passkey", cookies);
  },
});

export const postPasskeyRemoval = createConfirmedPage({
  method: "post",
  path: "/profile/passkeys/remove",
  async handler(request, { store }) {
    const { form, session } = request;
    await changing(
      request,
      store,
    )(async ({ passkeys }) => {
      const name = await passkeys.remove(session.user.id, form.get("id") ?? "");
      const entry = { action: "user.removePasskey", subject: session.user.email, before: { name } };
      return { result: undefined, entry: name === undefined ? null : entry };
    });
    return redirect("/profile?done=removed");
  },
});

export const postSessionEnd = createUserPage({
  method: "post",
  path: "/profile/sessions/end",
  async handler(request, { store }) {
    const { form, session } = request;
    const { user } = session;
    const sessionId = form.get("id") ?? "";
    const own = await store.sessions.list(user.id);
    if (own.some(({ id }) => id === sessionId))
      await endSession(store, actorOf(user, request), { user, sessionId });
    return redirect("/profile?done=ended");
  },
});

const changing = (request: UserRequest, store: Services["store"]) =>
  store.changing(actorOf(request.session.user, request));

async function profilePage(
  request: UserRequest,
  services: Services,
  problem?: string,
): Promise<HttpResponse> {
  const { store, signIn } = services;
  const { session, publicUrl, query, show } = request;
  const userId = session.user.id;
  const [proofs, sessions] = await Promise.all([proofsOf(services, userId), store.sessions.list(userId)]);
  const { hasPassword, passkeys } = proofs;
  const { challenge, options } = await registrationOptions({ ...session.user }, passkeys, publicUrl);
  const cookie = await giveChallenge(store, { userId, purpose: "registration", challenge });
  return show({
    title: "Your profile",
    isWide: true,
    usesPasskeys: true,
    status: problem === undefined ? 200 : 400,
    cookies: [cookie],
    body: profileContent({
      ...{ session, passkeys, sessions, signIn, problem, hasPassword, passkeyOptions: options },
      done: query.get("done"),
    }),
  });
}
