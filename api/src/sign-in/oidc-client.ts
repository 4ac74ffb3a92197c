import type { ProviderRoles } from "@glovebox/store";
import { higherRole, inputText, normalEmail, type Role } from "@glovebox/contract";
import * as oidc from "openid-client";
import { isLoopback, type OidcProvider } from "../settings/oidc-providers.ts";

const TIMEOUT_SECONDS = 10;
/** How far the clock of a provider may be ahead. */
const CLOCK_TOLERANCE_SECONDS = 60;

/** What the response to a login must contain; the browser keeps it in a cookie until it comes back. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What a provider says of a user. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** The provider says so, or does not say. */
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  readonly groups: readonly string[];
}

/** Logins with one provider: authorization code with PKCE, state and nonce (OpenID Connect Core, section 3.1; RFC 7636). */
export class OidcClient {
  readonly provider: OidcProvider;
  #configuration: Promise<oidc.Configuration> | undefined;

  constructor(provider: OidcProvider) {
    this.provider = provider;
  }

  /** Where to send the browser. */
  async begin(redirectUri: string): Promise<{ url: URL; pending: PendingLogin }> {
    const pending = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
    };
    const url = oidc.buildAuthorizationUrl(await this.#discovered(), {
      redirect_uri: redirectUri,
      scope: this.provider.scopes.join(" "),
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: "S256",
    });
    return { url, pending };
  }

  /** @throws Error when it is not the response to this login, or the provider does not vouch for it */
  async finish(callback: URL, { state, nonce, verifier }: PendingLogin): Promise<Claims> {
    const configuration = await this.#discovered();
    const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    if (claims.iat > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS)
      throw new Error("the ID token was issued in the future");
    const isComplete = claims["email"] !== undefined && claims[this.provider.groupsClaim] !== undefined;
    const more =
      isComplete || !configuration.serverMetadata().userinfo_endpoint
        ? {}
        : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return readClaims({ ...more, ...claims }, this.provider.groupsClaim);
  }

  /** The provider's metadata: read once, and again after a failure. */
  #discovered(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.provider;
    const url = new URL(issuer);
    const insecure = url.protocol === "http:" && isLoopback(url) ? [oidc.allowInsecureRequests] : [];
    // Also verifies the signature of ID tokens, so that not all depends on the connection to the provider.
    const execute = [oidc.enableNonRepudiationChecks, ...insecure];
    this.#configuration ??= oidc
      .discovery(url, clientId, clientSecret, clientSecret === undefined ? oidc.None() : undefined, {
        execute,
        timeout: TIMEOUT_SECONDS,
      })
      .catch((error: unknown) => {
        this.#configuration = undefined;
        throw error;
      });
    return this.#configuration;
  }
}

const MAX_CLAIM_LENGTH = 255; // the limit of the subject: OpenID Connect Core, section 2
const text = inputText.trim().max(MAX_CLAIM_LENGTH);

/** @internal */
export function readClaims(claims: Readonly<Record<string, unknown>>, groupsClaim: string): Claims {
  const textOf = (name: string): string | undefined => {
    const value = text.safeParse(claims[name]);
    return value.success && value.data !== "" ? value.data : undefined;
  };
  const listed = claims[groupsClaim];
  const groups = (Array.isArray(listed) ? listed : [listed]).filter((group) => typeof group === "string");
  const issuer = textOf("iss");
  const subject = textOf("sub");
  if (issuer === undefined || subject === undefined) throw new Error("the ID token names no subject");
  return {
    issuer,
    subject,
    email: normalEmail(textOf("email") ?? ""),
    // Also as text: some providers return it at the userinfo endpoint.
    isEmailVerified: [true, "true", undefined].includes(claims["email_verified"] as boolean),
    name: textOf("name") ?? textOf("preferred_username"),
    groups,
  };
}

/** What the groups of a user stand for; of several roles in one account, the most powerful. */
export function rolesOf(
  { roles, administrators }: Pick<OidcProvider, "roles" | "administrators">,
  groups: readonly string[],
): ProviderRoles {
  const byAccount = new Map<string, Role>();
  for (const { group, account, role } of roles) {
    if (!groups.includes(group)) continue;
    byAccount.set(account, higherRole(byAccount.get(account) ?? role, role));
  }
  return {
    roles: [...byAccount].map(([account, role]) => ({ account, role })),
    isAdministrator:
      administrators.length === 0 ? undefined : administrators.some((group) => groups.includes(group)),
  };
}
