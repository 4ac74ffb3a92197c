import type { Logger } from "pino";
import type { RateCounter } from "../limits/rate-limit.ts";
import type { OidcProvider } from "../settings/oidc-providers.ts";
import { OidcClient } from "./oidc-client.ts";
import { Passwords } from "./passwords.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

/** What the pages of sign-in need, beside the store. */
export interface SignIn {
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  /** By the ids of their providers. */
  readonly providers: ReadonlyMap<string, OidcClient>;
  /** False: users sign in with a provider only. */
  readonly acceptsPasswords: boolean;
}

export function createSignIn(
  {
    signIn,
    oidcProviders = [],
  }: {
    readonly signIn: "password" | "oidc-only";
    readonly oidcProviders: readonly OidcProvider[] | undefined;
  },
  { counter, logger }: { counter: RateCounter; logger: Pick<Logger, "warn"> },
): SignIn {
  if (signIn === "oidc-only" && oidcProviders.length === 0)
    logger.warn("nobody can sign in: GLOVEBOX_SIGN_IN is oidc-only, and GLOVEBOX_OIDC_FILE has no provider");
  return {
    passwords: new Passwords(),
    throttle: createThrottle(counter),
    providers: new Map(oidcProviders.map((provider) => [provider.id, new OidcClient(provider)])),
    acceptsPasswords: signIn === "password",
  };
}
