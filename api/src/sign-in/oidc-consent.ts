import { ApiError } from "@glovebox/contract";
import { hashSecret, newToken, actorOf } from "@glovebox/store";
import { markup, type Markup } from "@glovebox/report";
import type { Services } from "../deps.ts";
import { clearCookie, readCookie, setCookie, type HostCookie } from "../http/cookies.ts";
import type { HttpResponse } from "../http/respond.ts";
import { INVITATION_REFUSALS, acceptInvitation, describeInvitation } from "./accept-invitation.ts";
import { redirect } from "./layout.ts";
import { finishLogin } from "./oidc-sign-in.ts";
import { createPage, type PageRequest } from "./page.ts";
import type { Claims, OidcClient } from "./oidc-client.ts";
import type { SignedIn } from "./start-session.ts";

/** Of the login under way, then of the response that waits for consent. */
export const OIDC_COOKIE: HostCookie = { name: "__Host-glovebox-oidc", maxAgeSeconds: 600 };

/** What an identity is to be used for, beside a sign-in. */
export type Purpose =
  | { readonly for: "invitation"; readonly token: string }
  /** The session whose user it is linked to. */
  | { readonly for: "link"; readonly sessionId: string };

const PATH = "/sign-in/oidc/{provider}/consent";

/**
 * Asks for consent on the way back from the provider, on a page that names both sides: whoever can sign a browser in at the provider
 * could otherwise make its user accept an invitation, or link an identity of somebody else.
 */
export async function askForConsent(
  request: PageRequest,
  { store }: Services,
  { client, claims, purpose }: { client: OidcClient; claims: Claims; purpose: Purpose },
): Promise<HttpResponse> {
  const { provider } = client;
  const who = `${claims.email ?? claims.name ?? claims.subject} at ${provider.name}`;
  const content =
    purpose.for === "link"
      ? linkContent(sessionOf(request, purpose), who)
      : await invitationContent(store, { purpose, claims, who });
  const token = newToken();
  await store.providerResponses.put(hashSecret(token), { provider: provider.id, claims, purpose });
  const { title, text, button } = content;
  return request.show({
    title,
    cookies: [setCookie(OIDC_COOKIE, token)],
    body: markup`${text}
      <form method="post" action="${PATH.replace("{provider}", provider.id)}">
        <button class="primary">${button}</button>
      </form>
      <p class="or"><a href="${purpose.for === "link" ? "/profile" : "/sign-in"}">Cancel</a></p>`,
  });
}

interface ConsentContent {
  readonly title: string;
  readonly text: Markup;
  readonly button: string;
}

const linkContent = ({ user }: NonNullable<PageRequest["session"]>, who: string): ConsentContent => ({
  title: "Link this identity?",
  text: markup`<p>Link <strong>${who}</strong> to the user <strong>${user.email}</strong>.</p>
    <p>Anyone who can sign in with that identity can then sign in here as this user.</p>`,
  button: `Link to ${user.email}`,
});

async function invitationContent(
  store: Services["store"],
  { purpose, claims, who }: { purpose: { readonly token: string }; claims: Claims; who: string },
): Promise<ConsentContent> {
  const invitation = await store.invitations.find(hashSecret(purpose.token));
  if (!invitation) throw new ApiError("forbidden", INVITATION_REFUSALS.invalid);
  const known = await store.users.findByIdentity(claims);
  const as = known ? markup`, the user <strong>${known.email}</strong>` : markup`, a new user`;
  return {
    title: "Accept this invitation?",
    text: markup`<p>${describeInvitation(invitation)}</p>
      <p>You accept it as <strong>${who}</strong>${as}.</p>`,
    button: "Accept",
  };
}

export const postOidcConsent = createPage({
  method: "post",
  path: PATH,
  async handler(request, services) {
    const { params, cookie } = request;
    const { store, signIn } = services;
    const client = clientOf(signIn.providers, params["provider"]);
    const response = (await store.providerResponses.take(
      hashSecret(readCookie(cookie, OIDC_COOKIE) ?? ""),
    )) as { readonly provider: string; readonly claims: Claims; readonly purpose: Purpose } | undefined;
    if (response?.provider !== client.provider.id)
      throw new ApiError(
        "invalid_request",
        "This was not started in this browser, or more than ten minutes ago.",
      );
    const { claims, purpose } = response;
    const cookies = [clearCookie(OIDC_COOKIE)];
    if (purpose.for === "link") {
      await linkIdentity(request, services, { purpose, claims });
      return redirect("/profile?done=linked", cookies);
    }
    const user = await acceptByIdentity(request, services, { token: purpose.token, claims });
    return finishLogin(request, services, { client, claims, user, next: "/", cookies });
  },
});

/** Links to the user who began it, in the session in which it began, and to nobody else. */
async function linkIdentity(
  request: PageRequest,
  { store }: Services,
  { purpose, claims }: { purpose: { readonly sessionId: string }; claims: Claims },
): Promise<void> {
  const { user, isConfirmed } = sessionOf(request, purpose);
  if (!isConfirmed) throw new ApiError("forbidden", "That took too long. Start again on your profile.");
  const { issuer } = claims;
  await store.changing(actorOf(user, request))(async ({ users }) => {
    if (!(await users.link(user.id, claims)))
      throw new ApiError("forbidden", "This identity belongs to another user.");
    const entry = { action: "user.linkIdentity", subject: user.email, after: { issuer } };
    return { result: undefined, entry };
  });
}

/** @throws ApiError `forbidden` unless it is the session of the request */
function sessionOf({ session }: PageRequest, { sessionId }: { readonly sessionId: string }) {
  if (session?.sessionId === sessionId) return session;
  throw new ApiError("forbidden", "You are no longer signed in as the user who started this.");
}

/** As the user of the identity, or a new one: never as whoever is signed in, to whom that would link it. */
async function acceptByIdentity(
  request: PageRequest,
  services: Services,
  { token, claims }: { token: string; claims: Claims },
): Promise<SignedIn["user"]> {
  const { issuer, subject, email, name = email } = claims;
  const sha256 = hashSecret(token);
  const known = await services.store.invitations.find(sha256);
  if (known && known.email === null && (email === undefined || !claims.isEmailVerified))
    throw new ApiError("forbidden", "The provider did not return a verified e-mail address.");
  const response = { email, name: name ?? subject, identity: { issuer, subject } };
  return acceptInvitation(request, services, { sha256, response });
}

/** @throws ApiError `not_found` */
export function clientOf(providers: ReadonlyMap<string, OidcClient>, id: string | undefined): OidcClient {
  const client = providers.get(id ?? "");
  if (!client) throw new ApiError("not_found", "Provider not found.");
  return client;
}
