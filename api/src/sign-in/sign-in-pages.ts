import { ApiError } from "@glovebox/contract";
import { markup } from "@glovebox/report";
import { actorOf } from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { HttpResponse } from "../http/respond.ts";
import { createRoute } from "../http/route.ts";
import { noChallenge, noSessionCookie, takeChallenge } from "./sign-in-cookies.ts";
import { endSession, signOutEverywhere } from "./end-session.ts";
import { field, localPath, problemNote, redirect } from "./layout.ts";
import { createPage, type PageRequest } from "./page.ts";
import { countAttempt, recordRefusal, subjectOf } from "./attempts.ts";
import { askForPasskey } from "./passkey-step.ts";
import { usedPasskey } from "./passkeys.ts";
import { providerLinks } from "./provider-links.ts";
import { signedIn, startSession } from "./start-session.ts";
import { PASSKEY_SCRIPT, STYLE } from "./style.ts";

/** The same for an unknown address, a wrong password, a user without one and a disabled user. */
const REFUSED = "The e-mail address or the password is wrong.";
const MAX_FIELD_LENGTH = 320;

export const getSignIn = createPage({
  method: "get",
  path: "/sign-in",
  async handler(request, services) {
    const next = localPath(request.query.get("next"));
    return request.session ? redirect(next) : signInPage(request, services, { next });
  },
});

export const postSignIn = createPage({
  method: "post",
  path: "/sign-in",
  async handler(request, services) {
    const { form } = request;
    const { signIn, store } = services;
    if (!signIn.acceptsPasswords)
      throw new ApiError("forbidden", "Sign in with your provider: passwords are off.");
    const email = (form.get("email") ?? "").trim().slice(0, MAX_FIELD_LENGTH);
    const password = form.get("password") ?? "";
    const next = localPath(form.get("next"));
    const subject = subjectOf(email);
    const user = await store.users.findByEmail(email);
    const waiting = await countAttempt(request, services, { subject, userId: user?.id });
    // Always one hash, also without a user: the response takes the same time.
    const isRight = await signIn.passwords.verify(password, user?.passwordHash, waiting);
    if (!user || !isRight || user.disabledAt) {
      await recordRefusal(request, services, { subject, reason: isRight ? "disabled" : "password" });
      return signInPage(request, services, { next, email, problem: REFUSED });
    }
    return signedIn(request, services, { user, method: "password", next });
  },
});

async function signInPage(
  { show }: PageRequest,
  { signIn }: Services,
  { next, email, problem }: { next: string; email?: string; problem?: string },
): Promise<HttpResponse> {
  const providers = providerLinks(signIn, { next });
  const password = markup`<form method="post" action="/sign-in">
    ${field({ name: "email", label: "E-mail address", type: "email", autocomplete: "username", value: email })}
    ${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password" })}
    <input type="hidden" name="next" value="${next}" />
    <button class="primary">Sign in</button>
  </form>`;
  return show({
    title: "Sign in",
    status: problem === undefined ? 200 : 401,
    body: markup`${problemNote(problem)}${signIn.acceptsPasswords ? password : null}
    ${signIn.acceptsPasswords && providers ? markup`<p class="or">or</p>` : null}${providers}`,
  });
}

export const postPasskey = createPage({
  method: "post",
  path: "/sign-in/passkey",
  async handler(request, services) {
    const { form, cookie, publicUrl } = request;
    const { store } = services;
    const next = localPath(form.get("next"));
    const challenge = await takeChallenge(store, cookie, "signIn");
    if (!challenge) return redirect(`/sign-in?next=${encodeURIComponent(next)}`, [noChallenge()]);
    const { userId } = challenge;
    const passkeys = await store.passkeys.list(userId);
    const user = await store.users.findById(userId);
    const used = await usedPasskey(form.get("answer") ?? "", challenge.challenge, { passkeys, publicUrl });
    if (!user || !used) {
      await recordRefusal(request, services, { subject: user?.email ?? userId, reason: "passkey" });
      const problem = "That passkey was not accepted. Try again.";
      return askForPasskey(request, services, { userId, next, passkeys, problem });
    }
    await store.passkeys.used(used.id, used.counter);
    const cookies = [noChallenge()];
    return startSession(request, services, { user, method: "passkey", next, cookies, hasSecondFactor: true });
  },
});

export const postSignOut = createPage({
  method: "post",
  path: "/sign-out",
  async handler(request, { store }) {
    const { session } = request;
    if (session) await endSession(store, actorOf(session.user, request), session);
    return redirect("/sign-in", [noSessionCookie()]);
  },
});

export const postSignOutEverywhere = createPage({
  method: "post",
  path: "/sign-out/everywhere",
  async handler(request, { store }) {
    const { session } = request;
    if (session) await signOutEverywhere(store, actorOf(session.user, request), session);
    return redirect("/sign-in", [noSessionCookie()]);
  },
});

const asset = (path: string, type: string, body: string) =>
  createRoute({
    operationId: `get ${path}`,
    method: "get",
    path,
    access: "probe",
    handler: () => ({
      status: 200,
      headers: { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": "no-cache" },
      body,
    }),
  });

export const getStyle = asset("/sign-in/style.css", "text/css", STYLE);
export const getPasskeyScript = asset("/sign-in/passkey.js", "text/javascript", PASSKEY_SCRIPT);
