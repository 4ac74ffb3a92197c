import { ApiError } from "@glovebox/contract";
import { isToken } from "@glovebox/store";
import { clearCookie, readCookie, setCookie } from "../http/cookies.ts";
import type { HttpResponse } from "../http/respond.ts";
import { localPath, redirect } from "./layout.ts";
import { OIDC_COOKIE, askForConsent, clientOf, type Purpose } from "./oidc-consent.ts";
import { finishLogin } from "./oidc-sign-in.ts";
import { confirmationPath, createPage, type PageRequest } from "./page.ts";
import type { OidcClient, PendingLogin } from "./oidc-client.ts";

/** A login under way. The cookie binds it to the browser; what it holds is of use to that browser only. */
interface Login extends PendingLogin {
  readonly provider: string;
  readonly next: string;
  /** Undefined: it is a sign-in. */
  readonly purpose?: Purpose | undefined;
  /** Unix time in milliseconds. */
  readonly until: number;
}

const CALLBACK = "/sign-in/oidc/{provider}/callback";

/** Begins a login. A link, not a form: see `providerLinks`. */
export const getOidc = createPage({
  method: "get",
  path: "/sign-in/oidc/{provider}",
  async handler(request, { signIn, now, logger }) {
    const { params, query, publicUrl, session, url } = request;
    const client = clientOf(signIn.providers, params["provider"]);
    const purpose = purposeOf(request);
    if (purpose?.for === "link" && session?.isConfirmed !== true)
      return redirect(confirmationPath(`${url.pathname}${url.search}`));
    const begun = await client.begin(callbackOf(client, publicUrl)).catch((error: Error) => {
      logger.warn(
        { provider: client.provider.id, error: error.name },
        "OpenID Connect provider could not be reached",
      );
      throw new ApiError("unavailable", `${client.provider.name} cannot be reached at the moment.`);
    });
    const login: Login = {
      ...{ ...begun.pending, provider: client.provider.id, next: localPath(query.get("next")), purpose },
      until: now().getTime() + OIDC_COOKIE.maxAgeSeconds * 1000,
    };
    const value = Buffer.from(JSON.stringify(login)).toString("base64url");
    return redirect(begun.url.href, [setCookie(OIDC_COOKIE, value)]);
  },
});

/**
 * What the login is for, beside a sign-in: other sites may send a browser here, so it must come from a page of ours.
 * @throws ApiError `forbidden`
 */
function purposeOf({ query, session, isSameOrigin }: PageRequest): Purpose | undefined {
  const invitation = query.get("invitation");
  if (invitation === null && !query.has("link")) return undefined;
  if (!isSameOrigin)
    throw new ApiError("forbidden", "Open your invitation or your profile here, and use the button there.");
  if (invitation !== null) return isToken(invitation) ? { for: "invitation", token: invitation } : undefined;
  if (!session) throw new ApiError("forbidden", "Sign in first.");
  return { for: "link", sessionId: session.sessionId };
}

/** The way back from the provider. Any site may send a browser here: by itself it signs in, and changes nothing of a user's. */
export const getOidcCallback = createPage({
  method: "get",
  path: CALLBACK,
  async handler(request, services): Promise<HttpResponse> {
    const { params, cookie, url } = request;
    const client = clientOf(services.signIn.providers, params["provider"]);
    const login = readLogin(readCookie(cookie, OIDC_COOKIE), services.now());
    if (!login || login.provider !== client.provider.id)
      throw new ApiError(
        "invalid_request",
        "This sign-in was not started in this browser, or more than ten minutes ago.",
      );
    const claims = await client.finish(url, login).catch((error: Error) => {
      services.logger.warn(
        { provider: client.provider.id, error: error.name },
        "sign-in with a provider failed",
      );
      throw new ApiError("forbidden", `${client.provider.name} did not confirm the sign-in. Try again.`);
    });
    const { purpose, next } = login;
    if (purpose) return askForConsent(request, services, { client, claims, purpose });
    return finishLogin(request, services, { client, claims, next, cookies: [clearCookie(OIDC_COOKIE)] });
  },
});

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
