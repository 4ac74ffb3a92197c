import { ApiError } from "@glovebox/contract";
import { markup, type Markup } from "@glovebox/report";
import type { Services } from "../deps.ts";
import type { HttpResponse } from "../http/respond.ts";
import { countAttempt, recordRefusal } from "./attempts.ts";
import { field, localPath, problemNote, redirect } from "./layout.ts";
import { createUserPage, type UserRequest } from "./page.ts";
import { signInOptions, usedPasskey } from "./passkeys.ts";
import { proofsOf } from "./proofs.ts";
import type { Waiting } from "../limits/turns.ts";
import { giveChallenge, newSessionToken, noChallenge, takeChallenge } from "./sign-in-cookies.ts";

const PATH = "/profile/confirm";

export const getConfirmation = createUserPage({
  method: "get",
  path: PATH,
  handler: (request, services) =>
    confirmationPage(request, services, { next: localPath(request.query.get("next")) }),
});

/** Takes the password or a passkey of the user, and gives the session another token: an older copy of it is confirmed by nothing. */
export const postConfirmation = createUserPage({
  method: "post",
  path: PATH,
  async handler(request, services) {
    const { form, session } = request;
    const next = localPath(form.get("next"));
    const { id: userId, email } = session.user;
    const waiting = await countAttempt(request, services, { subject: email, userId });
    const reason = form.has("password") ? "password" : "passkey";
    const isRight =
      reason === "password" ? isPassword(request, services, waiting) : isPasskey(request, services);
    if (!(await isRight)) {
      await recordRefusal(request, services, { subject: email, reason });
      const problem = reason === "password" ? "The password is wrong." : "That passkey was not accepted.";
      return confirmationPage(request, services, { next, problem });
    }
    const cookie = await newSessionToken(services.store, session, { isConfirmed: true });
    return redirect(next, [noChallenge(), cookie]);
  },
});

async function isPassword(
  { form, session }: UserRequest,
  { store, signIn }: Services,
  waiting: Waiting,
): Promise<boolean> {
  if (!signIn.acceptsPasswords) throw new ApiError("forbidden", "Passwords are off.");
  const user = await store.users.findById(session.user.id);
  return signIn.passwords.verify(form.get("password") ?? "", user?.passwordHash, waiting);
}

async function isPasskey(
  { form, session, cookie, publicUrl }: UserRequest,
  { store }: Services,
): Promise<boolean> {
  const challenge = await takeChallenge(store, cookie, "confirmation");
  if (challenge?.userId !== session.user.id) return false;
  const passkeys = await store.passkeys.list(session.user.id);
  const used = await usedPasskey(form.get("answer") ?? "", challenge.challenge, { passkeys, publicUrl });
  if (used) await store.passkeys.used(used.id, used.counter);
  return used !== undefined;
}

async function confirmationPage(
  { session, publicUrl, show }: UserRequest,
  services: Services,
  { next, problem }: { next: string; problem?: string },
): Promise<HttpResponse> {
  const userId = session.user.id;
  const { hasPassword, passkeys } = await proofsOf(services, userId);
  const hasPasskeys = passkeys.length > 0;
  const { challenge, options } = await signInOptions(passkeys, publicUrl);
  const cookie = await giveChallenge(services.store, { userId, purpose: "confirmation", challenge });
  return show({
    title: "Confirm that it is you",
    usesPasskeys: hasPasskeys,
    status: problem === undefined ? 200 : 400,
    cookies: hasPasskeys ? [cookie] : [],
    body: markup`${problemNote(problem)}
      <p>You are about to change how ${session.user.email} signs in.</p>
      ${hasPasskeys ? passkeyForm(next, options) : null}
      ${hasPasskeys && hasPassword ? markup`<p class="or">or</p>` : null}
      ${hasPassword ? passwordForm(next, session.user.email) : null}
      ${hasPasskeys || hasPassword ? null : SIGN_IN_AGAIN}
      <p class="or"><a href="/profile">Cancel</a></p>`,
  });
}

const passkeyForm = (next: string, options: string): Markup =>
  markup`<form method="post" action="${PATH}" data-get="${options}">
    <input type="hidden" name="answer" value="" />
    <input type="hidden" name="next" value="${next}" />
    <p class="problem" role="alert" data-problem hidden>The browser did not return a passkey. Try again.</p>
    <button class="primary">Use passkey</button>
  </form>`;

const passwordForm = (next: string, email: string): Markup =>
  markup`<form method="post" action="${PATH}">
    <input type="hidden" name="username" autocomplete="username" value="${email}" />
    <input type="hidden" name="next" value="${next}" />
    ${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password" })}
    <button class="primary">Confirm</button>
  </form>`;

/** A user of a provider alone: a new session of theirs counts as confirmed. */
const SIGN_IN_AGAIN = markup`<p>You have neither a password nor a passkey here: sign in again, and make the change within ten
    minutes.</p>
  <form method="post" action="/sign-out"><button class="primary">Sign out</button></form>`;
