import { ApiError } from "@glovebox/contract";
import { actorOf, visitorActor } from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { HttpResponse } from "../http/respond.ts";
import { rolesOf, type Claims, type OidcClient } from "./oidc-client.ts";
import type { PageRequest } from "./page.ts";
import { signedIn, type SignedIn } from "./start-session.ts";

interface Login {
  readonly client: OidcClient;
  readonly claims: Claims;
  readonly next: string;
  readonly cookies: readonly string[];
  /** Who it is; without, the user of the identity, or a new one. */
  readonly user?: SignedIn["user"];
}

/** Signs in the user whom the provider named, with the roles that their groups have now. */
export async function finishLogin(
  request: PageRequest,
  services: Services,
  { client, claims, next, cookies, user }: Login,
): Promise<HttpResponse> {
  const known = user ?? (await userOf(request, services, { client, claims }));
  const roles = rolesOf(client.provider, claims.groups);
  await services.store.changing(actorOf(known, request))(async ({ users }) => {
    const isChanged = await users.applyProviderRoles(known.id, claims.issuer, roles);
    const entry = { action: "user.setProviderRoles", subject: known.email, after: { ...roles } };
    return { result: undefined, entry: isChanged ? entry : null };
  });
  return signedIn(request, services, { user: known, method: client.provider.id, next, cookies });
}

/** The user of this identity, or a new one whom the groups let in. */
async function userOf(
  request: PageRequest,
  { store }: Services,
  { client: { provider }, claims }: Pick<Login, "client" | "claims">,
): Promise<SignedIn["user"]> {
  const known = await store.users.findByIdentity(claims);
  if (known?.disabledAt) throw new ApiError("forbidden", "This user is disabled.");
  if (known) return known;
  const { roles, isAdministrator } = rolesOf(provider, claims.groups);
  const { email, name = email } = claims;
  if (roles.length === 0 && isAdministrator !== true)
    throw new ApiError("forbidden", "You have no access to this service. Ask for an invitation.");
  if (email === undefined || name === undefined || !claims.isEmailVerified)
    throw new ApiError("forbidden", `${provider.name} did not return a verified e-mail address.`);
  const created = await store.changing(visitorActor(request))(async ({ users }) => {
    const id = await users.createFromProvider({ email, name }, claims);
    if (id === undefined) return { result: undefined, entry: null };
    const user = { id, email };
    const after = { issuer: claims.issuer };
    const entry = { action: "user.create", subject: email, after };
    return { result: user, entry, actor: actorOf(user, request) };
  });
  if (created) return created;
  // An address proves nothing about who that user is: only they can link the identity.
  throw new ApiError(
    "forbidden",
    `There is a user with the address ${email}. Sign in as before, and link ${provider.name} on your profile.`,
  );
}
