import { ApiError, normalEmail } from "@glovebox/contract";
import { hashSecret, isToken, type Invitation, type Store } from "@glovebox/store";
import { markup, type Markup } from "@glovebox/report";
import type { Services } from "../deps.ts";
import type { HttpResponse } from "../http/respond.ts";
import { INVITATION_REFUSALS, acceptInvitation, describeInvitation } from "./accept-invitation.ts";
import { countAttempt } from "./attempts.ts";
import { field, problemNote } from "./layout.ts";
import { createPage, type PageRequest } from "./page.ts";
import { MIN_PASSWORD_LENGTH, passwordProblem } from "./passwords.ts";
import { providerLinks } from "./provider-links.ts";
import { signedIn } from "./start-session.ts";

const PATH = "/invitation/{token}";
const MAX_NAME = 100;

export const getInvitation = createPage({
  method: "get",
  path: PATH,
  async handler(request, services) {
    return invitationPage(request, services, { invitation: await invitationOf(request, services.store) });
  },
});

export const postInvitation = createPage({
  method: "post",
  path: PATH,
  async handler(request, services) {
    const { form, session, params } = request;
    const { store, signIn } = services;
    const attempt = { name: params["token"] ?? "", subject: "an invitation", userId: session?.user.id };
    await countAttempt(request, services, attempt);
    const invitation = await invitationOf(request, store);
    const isOfUser = session !== undefined && invitation.userId === null;
    const problem = isOfUser ? undefined : formProblem(form, invitation);
    if (problem !== undefined) return invitationPage(request, services, { invitation, problem });
    if (!isOfUser && !signIn.acceptsPasswords)
      throw new ApiError("forbidden", "Passwords are off: accept the invitation with your provider.");
    const response = isOfUser
      ? { signedInAs: session.user.id }
      : {
          email: normalEmail(form.get("email") ?? ""),
          name: form.get("name")?.trim(),
          passwordHash: await signIn.passwords.hash(form.get("password")!),
        };
    const user = await acceptInvitation(request, services, {
      sha256: hashSecret(params["token"]!),
      response,
    });
    return signedIn(request, services, { user, method: "invitation", next: "/" });
  },
});

/** @throws ApiError `not_found` */
async function invitationOf({ params }: PageRequest, store: Store): Promise<Invitation> {
  const token = params["token"] ?? "";
  const found = isToken(token) ? await store.invitations.find(hashSecret(token)) : undefined;
  if (!found) throw new ApiError("not_found", INVITATION_REFUSALS.invalid);
  return found;
}

function formProblem(form: URLSearchParams, { email, userId }: Invitation): string | undefined {
  if (userId === null) {
    const name = form.get("name")?.trim() ?? "";
    if (name === "" || name.length > MAX_NAME) return `The name needs 1 to ${MAX_NAME} characters.`;
    if (email === null && normalEmail(form.get("email") ?? "") === undefined)
      return "That is not an e-mail address.";
  }
  return passwordProblem(form.get("password") ?? "");
}

async function invitationPage(
  request: PageRequest,
  { signIn }: Services,
  { invitation, problem }: { invitation: Invitation; problem?: string },
): Promise<HttpResponse> {
  const { form, session, params, show } = request;
  const title = titleOf(invitation);
  const status = problem === undefined ? 200 : 400;
  if (invitation.userId !== null && !signIn.acceptsPasswords)
    throw new ApiError("forbidden", "Passwords are off: sign in with your provider.");
  const what = invitation.userId === null ? markup`<p>${describeInvitation(invitation)}</p>` : null;
  const action = `/invitation/${params["token"]}`;
  if (session && invitation.userId === null)
    return show({
      title,
      body: markup`${what}
        <form method="post" action="${action}">
          <button class="primary">Accept as ${session.user.email}</button>
        </form>
        <p class="or">or</p>
        <form method="post" action="/sign-out"><button>Sign out</button></form>`,
    });
  const providers =
    invitation.userId === null ? providerLinks(signIn, { invitation: params["token"]! }) : null;
  const password = markup`<form method="post" action="${action}">
    ${identityFields(invitation, form)}
    ${field({ name: "password", label: "Password", type: "password", autocomplete: "new-password", help: `At least ${MIN_PASSWORD_LENGTH} characters.` })}
    <button class="primary">${invitation.userId === null ? "Accept" : "Set password"}</button>
  </form>`;
  return show({
    title,
    status,
    body: markup`${problemNote(problem)}${what}${signIn.acceptsPasswords ? password : null}
    ${signIn.acceptsPasswords && providers ? markup`<p class="or">or</p>` : null}${providers}`,
  });
}

function identityFields({ email, userId }: Invitation, form: URLSearchParams): Markup | null {
  if (userId !== null) return null;
  const typed = form.get("email") ?? "";
  const address =
    email === null
      ? field({
          name: "email",
          label: "E-mail address",
          type: "email",
          autocomplete: "username",
          value: typed,
        })
      : markup`<input type="hidden" name="username" autocomplete="username" value="${email}" />`;
  const name = form.get("name") ?? "";
  return markup`${address}${field({ name: "name", label: "Your name", autocomplete: "name", value: name })}`;
}

function titleOf({ email, userId }: Invitation): string {
  if (userId !== null) return "Set a new password";
  return email === null ? "Create the first administrator" : "Accept your invitation";
}
