import { contentOf, oneOf, optional, setting } from "@glovebox/settings";
import { parseOidcProviders } from "./oidc-providers.ts";

/** The settings of the dashboard's sign-in (docs/sign-in.md). */
export const SIGN_IN_SETTINGS = {
  publicUrl: setting({
    variable: "GLOVEBOX_PUBLIC_URL",
    type: "https:// URL",
    description:
      "Address that browsers use, without a path. Needed to sign in, unless the API listens on loopback only; http:// is " +
      "accepted for localhost.",
    parse: optional(parseOrigin),
  }),
  signIn: setting({
    variable: "GLOVEBOX_SIGN_IN",
    type: "password or oidc-only",
    default: "password",
    description: "oidc-only: users sign in with the OpenID Connect providers, and no password is accepted.",
    parse: oneOf("password", "oidc-only"),
  }),
  oidcProviders: setting({
    variable: "GLOVEBOX_OIDC_FILE",
    type: "file (YAML)",
    description: "OpenID Connect providers, and the roles that their groups map to.",
    parse: optional(contentOf(parseOidcProviders)),
  }),
};

/** @throws Error with the expected format */
function parseOrigin(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || url.href !== `${url.origin}/`)
    throw new Error("must be an address without a path, such as https://glovebox.example.com");
  return url;
}
