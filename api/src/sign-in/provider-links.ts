import { markup, type Markup } from "@glovebox/report";
import type { SignIn } from "./sign-in.ts";

/**
 * Links to the providers; null when there is none. Links, because Chromium refuses a form that a redirect takes elsewhere
 * (`form-action`).
 */
export function providerLinks(
  { providers }: Pick<SignIn, "providers">,
  query: Readonly<Record<string, string>>,
  verb = "Continue with",
): Markup | null {
  if (providers.size === 0) return null;
  const search = new URLSearchParams(query).toString();
  const links = [...providers.values()].map(
    ({ provider: { id, name } }) =>
      markup`<a class="button" href="/sign-in/oidc/${id}?${search}">${verb} ${name}</a>`,
  );
  return markup`<div class="choices">${links}</div>`;
}
