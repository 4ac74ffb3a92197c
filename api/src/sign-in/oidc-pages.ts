import { ApiError, hashSecret, isToken } from "@glovebox/contract";
import { actorOf } from "@glovebox/store";
import type { Services } from "../deps.ts";
import { clearCookie, readCookie, setCookie, type HostCookie } from "../http/cookies.ts";
import type { Reply } from "../http/respond.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { localPath, redirect } from "./layout.ts";
import { createPage, type PageRequest } from "./page.ts";
import { rolesOf, type Claims, type OidcClient, type PendingLogin } from "./oidc-client.ts";
import { signedIn, type SignedIn } from "./start-session.ts";

const COOKIE: HostCookie = { name: "__Host-glovebox-oidc", maxAgeSeconds: 600 };

/** A login under way. The cookie binds it to the browser; what it holds is of use to that browser only. */
interface Login extends PendingLogin {
  readonly provider: string;
  readonly next: string;
  /** The token of the invitation that it accepts. */
  readonly invitation?: string | undefined;
  /** The session whose user it links the identity to. */
  readonly linkTo?: string | undefined;
  /** Unix time in milliseconds. */
  readonly until: number;
}

const CALLBACK = "/sign-in/oidc/{provider}/callback";

/** Begins a login. A link, not a form: see `providerLinks`. */
export const getOidc = createPage({
  method: "get",
  path: "/sign-in/oidc/{provider}",
  async handler({ params, query, publicUrl, session }, { signIn, now, logger }) {
    const client = clientOf(signIn.providers, params["provider"]);
    const begun = await client.begin(callbackOf(client, publicUrl)).catch((error: Error) => {
      logger.warn({ provider: client.provider.id, error: error.name }, "A provider could not be reached");
      throw new ApiError("unavailable", `${client.provider.name} cannot be reached at the moment.`);
    });
    const invitation = query.get("invitation");
    const login: Login = {
      ...begun.pending,
      provider: client.provider.id,
      next: localPath(query.get("next")),
      invitation: invitation && isToken(invitation) ? invitation : undefined,
      linkTo: query.has("link") ? session?.sessionId : undefined,
      until: now().getTime() + COOKIE.maxAgeSeconds * 1000,
    };
    const value = Buffer.from(JSON.stringify(login)).toString("base64url");
    return redirect(begun.url.href, [setCookie(COOKIE, value)]);
  },
});

/** The way back from the provider. */
export const getOidcCallback = createPage({
  method: "get",
  path: CALLBACK,
  async handler(request, services) {
    const { params, cookie, url } = request;
    const client = clientOf(services.signIn.providers, params["provider"]);
    const login = readLogin(readCookie(cookie, COOKIE), services.now());
    if (!login || login.provider !== client.provider.id)
      throw new ApiError(
        "invalid_request",
        "This sign-in was not begun in this browser, or more than ten minutes ago.",
      );
    const claims = await client.finish(url, login).catch((error: Error) => {
      services.logger.warn(
        { provider: client.provider.id, error: error.name },
        "A sign-in with a provider failed",
      );
      throw new ApiError("forbidden", `${client.provider.name} did not confirm the sign-in. Try again.`);
    });
    return finishLogin(request, services, { client, login, claims });
  },
});

async function finishLogin(
  request: PageRequest,
  services: Services,
  { client, login, claims }: { client: OidcClient; login: Login; claims: Claims },
): Promise<Reply> {
  const { store } = services;
  const cookies = [clearCookie(COOKIE)];
  if (login.linkTo !== undefined) {
    await linkIdentity(request, services, { linkTo: login.linkTo, claims });
    return redirect("/profile?done=linked", cookies);
  }
  const user =
    login.invitation === undefined
      ? await userOf(request, services, { client, claims })
      : await acceptByIdentity(request, services, { invitation: login.invitation, claims });
  const roles = rolesOf(client.provider, claims.groups);
  await store.changing(actorOf(user, request))(async ({ users }) => {
    const isChanged = await users.applyProviderRoles(user.id, claims.issuer, roles);
    const entry = { action: "user.setProviderRoles", subject: user.email, after: { ...roles } };
    return { result: undefined, entry: isChanged ? entry : null };
  });
  return signedIn(request, services, { user, method: client.provider.id, next: login.next, cookies });
}

/** Links to the user who began it, in the session in which it began, and to nobody else. */
async function linkIdentity(
  request: PageRequest,
  { store }: Services,
  { linkTo, claims }: { linkTo: string; claims: Claims },
): Promise<void> {
  const { session } = request;
  if (session?.sessionId !== linkTo)
    throw new ApiError("forbidden", "You are no longer signed in as the user who began this.");
  const { issuer } = claims;
  await store.changing(actorOf(session.user, request))(async ({ users }) => {
    if (!(await users.link(session.user.id, claims)))
      throw new ApiError("forbidden", "This identity belongs to another user.");
    const entry = { action: "user.linkIdentity", subject: session.user.email, after: { issuer } };
    return { result: undefined, entry };
  });
}

/** The user of this identity, or a new one whom the groups let in. */
async function userOf(
  request: PageRequest,
  { store }: Services,
  { client: { provider }, claims }: { client: OidcClient; claims: Claims },
): Promise<SignedIn["user"]> {
  const known = await store.users.findByIdentity(claims);
  if (known?.disabledAt) throw new ApiError("forbidden", "This user is disabled.");
  if (known) return known;
  const { roles, isAdministrator } = rolesOf(provider, claims.groups);
  const { email, name = email } = claims;
  if (roles.length === 0 && isAdministrator !== true)
    throw new ApiError("forbidden", "You have no access to this service. Ask for an invitation.");
  if (email === undefined || name === undefined || !claims.isEmailVerified)
    throw new ApiError("forbidden", `${provider.name} gave no verified e-mail address of yours.`);
  const created = await store.transaction(async ({ users, audit }) => {
    const id = await users.createFromProvider({ email, name }, claims);
    if (id === undefined) return undefined;
    const user = { id, email };
    const entry = {
      accountId: null,
      action: "user.create",
      subject: email,
      after: { issuer: claims.issuer },
    };
    await audit.write(actorOf(user, request), entry);
    return user;
  });
  if (created) return created;
  // An address proves nothing about who that user is: only they can link the identity.
  throw new ApiError(
    "forbidden",
    `There is a user with the address ${email}. Sign in as before, and link ${provider.name} on your profile.`,
  );
}

async function acceptByIdentity(
  request: PageRequest,
  services: Services,
  { invitation, claims }: { invitation: string; claims: Claims },
): Promise<SignedIn["user"]> {
  const { issuer, subject, email, name = email } = claims;
  const sha256 = hashSecret(invitation);
  const known = await services.store.invitations.find(sha256);
  if (known && known.email === null && (email === undefined || !claims.isEmailVerified))
    throw new ApiError("forbidden", "The provider gave no verified e-mail address of yours.");
  const signedInAs = request.session?.user.id;
  const answer = { signedInAs, email, name: name ?? subject, identity: { issuer, subject } };
  return acceptInvitation(request, services, { sha256, answer });
}

function clientOf(providers: ReadonlyMap<string, OidcClient>, id: string | undefined): OidcClient {
  const client = providers.get(id ?? "");
  if (!client) throw new ApiError("not_found", "There is no such provider.");
  return client;
}

/** The redirect URI of the provider. */
export const callbackOf = ({ provider }: OidcClient, publicUrl: URL): string =>
  new URL(CALLBACK.replace("{provider}", provider.id), publicUrl).href;

function readLogin(value: string | undefined, now: Date): Login | undefined {
  if (value === undefined) return undefined;
  try {
    const login = JSON.parse(Buffer.from(value, "base64url").toString()) as Login;
    return login.until > now.getTime() ? { ...login, next: localPath(login.next) } : undefined;
  } catch {
    return undefined;
  }
}
