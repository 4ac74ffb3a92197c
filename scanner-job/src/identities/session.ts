import type { Identity } from "@glovebox/contract";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { CookieJar } from "./cookies.ts";
import { secretsOf, statedCredentials, withCredentials, type Credentials } from "./credentials.ts";
import { csrfTokenIn, isCsrfCookie, withCsrfToken, type CsrfToken } from "./csrf.ts";
import { findTokens } from "./find-token.ts";
import { RenewalLimit } from "./renewal-limit.ts";
import type { SecretMask } from "./secret-mask.ts";
import { asksForCsrfToken, grantIn, isNoRoute } from "./sign-in-response.ts";
import { addressesOf, filledIn, refreshRequest, signInRequest } from "./sign-in-request.ts";

export interface SessionDeps {
  readonly target: URL;
  readonly mask: SecretMask;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Sends one request as it is. @throws NetworkError */
export type Transmit = (request: ProbeRequest) => Promise<ProbeResponse>;

/** What the target returned to a sign-in that failed. */
export interface Refusal {
  readonly request: ProbeRequest;
  readonly response: ProbeResponse;
}

/** Share of a token's lifetime after which it is renewed. */
const RENEWAL = 0.75;

/** Tokens of before the last sign-in or refresh. */
interface Retired {
  readonly token: string;
  readonly expiresAt: number;
}

/** An identity during one scan: its credentials, and how it gets new ones. */
export class Session {
  readonly identity: Identity;
  readonly #deps: SessionDeps;
  readonly #stated: Credentials;
  readonly #jar = new CookieJar();
  /** Its credentials stay as they are: what a check ends, or what has expired, must not come back. */
  readonly isDisposable: boolean;
  #first: Retired | undefined;
  #lifetimeSeconds: number | undefined;
  #refreshToken: string | undefined;
  #rotates = false;
  #token: string | undefined;
  #csrf: CsrfToken | undefined;
  /** The JSON of the last response to a sign-in or refresh. */
  #last: unknown;
  /** The address at which the sign-in succeeded. */
  #url: string | undefined;
  #renewAt = Infinity;
  readonly #renewals: RenewalLimit;
  #renewing: Promise<boolean> | undefined;

  constructor(
    identity: Identity,
    deps: SessionDeps,
    disposable?: { readonly cookies: Readonly<Record<string, string>> },
  ) {
    this.identity = identity;
    this.#deps = deps;
    this.#renewals = new RenewalLimit(deps.now);
    this.isDisposable = disposable !== undefined;
    const cookies = Object.entries(disposable?.cookies ?? {});
    this.#jar.take(cookies.map((pair) => pair.join("=")).join("\n"));
    deps.mask.add(cookies.map(([, value]) => value));
    this.#stated = statedCredentials(identity);
    deps.mask.add(secretsOf(identity));
  }

  /** The address at which it signed in, or those at which it may. */
  get signInUrls(): readonly string[] {
    const { login } = this.identity;
    if (!login) return [];
    return this.#url === undefined ? addressesOf(login.operation, this.#deps.target) : [this.#url];
  }

  /** Signs in where the identity says how. The refusal if that failed. @throws NetworkError */
  async signIn(transmit: Transmit): Promise<Refusal | undefined> {
    const { login } = this.identity;
    if (!login) return undefined;
    let refusal: Refusal | undefined;
    for (const url of this.signInUrls) {
      const request = signInRequest(login, url);
      const response = await this.#sendSignIn(request, transmit);
      if (this.#accept(response)) {
        this.#url = url;
        return undefined;
      }
      // A gateway may refuse what does not exist below the base.
      if (refusal === undefined || isNoRoute(refusal.response)) refusal = { request, response };
    }
    return refusal;
  }

  /** The request as this caller sends it; gets a new token before the old one expires. */
  async dress(request: ProbeRequest, transmit: Transmit): Promise<ProbeRequest> {
    if (this.#deps.now() >= this.#renewAt) await this.renew(transmit);
    const { as: { header = "authorization", prefix = "Bearer " } = {} } = this.identity.login ?? {};
    const withToken = {
      ...this.#stated.headers,
      ...(this.#token !== undefined && { [header.toLowerCase()]: prefix + this.#token }),
    };
    const dressed = withCredentials(request, {
      ...this.#stated,
      headers: withToken,
      cookies: { ...this.#stated.cookies, ...this.#jar.cookies },
    });
    return this.#csrf ? withCsrfToken(dressed, this.#csrf) : dressed;
  }

  /** Takes what a response to this caller brings: cookies with a new value, and a token against request forgery. */
  hear(response: ProbeResponse): void {
    if (response.status >= 400) return;
    const setCookie = response.headers["set-cookie"];
    this.#learnCsrf(response);
    if (!this.isDisposable) this.#jar.take(setCookie, { onlyKnown: true });
    this.#deps.mask.add(Object.values(this.#jar.cookies));
  }

  /** Whether new credentials can be had: the sign-in can be repeated. */
  get isRenewable(): boolean {
    return !this.isDisposable && this.identity.login !== undefined && !this.#renewals.isReached;
  }

  /** A session of its own, which signs in with these cookies of before. */
  disposable(cookies: Readonly<Record<string, string>> = {}): Session {
    return new Session(this.identity, this.#deps, { cookies });
  }

  get lifetimeSeconds(): number | undefined {
    return this.#lifetimeSeconds;
  }

  get rotates(): boolean {
    return this.#rotates;
  }

  /** A request that renews this session, with its tokens in place of their JSON pointers. */
  filledIn(request: ProbeRequest): ProbeRequest {
    return filledIn(request, this.#last);
  }

  /** Masks the tokens that a renewal brought. They are not used: the next renewal is with the same token again. */
  hearRenewal(response: ProbeResponse): void {
    const { access, refresh } = findTokens(response);
    this.#deps.mask.add([access, refresh].filter((token) => token !== undefined));
    this.#rotates ||= refresh !== undefined && refresh !== this.#refreshToken;
  }

  /** For how long the first token has expired; negative before; undefined where it never does, or is in use. */
  get overdueSeconds(): number | undefined {
    if (!this.#first || this.#first.token === this.#token) return undefined;
    return (this.#deps.now() - this.#first.expiresAt) / 1_000;
  }

  /** The first token as a session of its own. */
  ofFirstToken(): Session {
    const session = this.disposable();
    session.#token = this.#first?.token;
    return session;
  }

  /** Gets new credentials, once for all that ask at the same time; false where that failed. */
  renew(transmit: Transmit): Promise<boolean> {
    if (!this.isRenewable) return Promise.resolve(false);
    this.#renewing ??= this.#renewOnce(transmit).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renewOnce(transmit: Transmit): Promise<boolean> {
    this.#renewals.count();
    this.#renewAt = Infinity;
    try {
      return (await this.#refresh(transmit)) || (await this.signIn(transmit)) === undefined;
    } catch {
      return false; // The next request without a response says why.
    }
  }

  async #refresh(transmit: Transmit): Promise<boolean> {
    const refresh = this.identity.login?.refresh;
    if (!refresh || this.#last === undefined) return false;
    const last = this.#last;
    this.#last = undefined; // a refresh token may be used once
    for (const url of addressesOf(refresh.operation, this.#deps.target)) {
      const response = await transmit(this.#asThisSession(refreshRequest(refresh, url, last)));
      if (this.#accept(response)) return true;
    }
    return false;
  }

  /** Where a form requires a token against request forgery, its page has one. */
  async #sendSignIn(request: ProbeRequest, transmit: Transmit): Promise<ProbeResponse> {
    const response = await transmit(this.#asThisSession(request));
    if (!asksForCsrfToken(response)) return response;
    const page = await transmit({ method: "GET", url: request.url, form: { kind: "identity" } });
    this.#jar.take(page.headers["set-cookie"]);
    this.#learnCsrf(page);
    return this.#csrf ? transmit(this.#asThisSession(request)) : response;
  }

  /** With what a sign-in or a refresh has of the session: its cookies, and no token. */
  #asThisSession(request: ProbeRequest): ProbeRequest {
    return this.#withCsrf(withCredentials(request, { ...this.#stated, cookies: this.#jar.cookies }));
  }

  #withCsrf(request: ProbeRequest): ProbeRequest {
    return this.#csrf ? withCsrfToken(request, this.#csrf) : request;
  }

  #learnCsrf(response: ProbeResponse): void {
    const token = csrfTokenIn(response);
    if (!token) return;
    this.#csrf = token;
    this.#deps.mask.add([token.value]);
    if (response.headers["set-cookie"] !== undefined) this.#takeCsrfCookie(response.headers["set-cookie"]);
  }

  /** The cookie beside the header, which a double-submit compares. */
  #takeCsrfCookie(setCookie: string): void {
    this.#jar.take(
      setCookie
        .split("\n")
        .filter((line) => isCsrfCookie(line.split("=")[0]!.trim()))
        .join("\n"),
    );
  }

  /** Takes the tokens and cookies of a response; false where it has none, or is a refusal. */
  #accept(response: ProbeResponse): boolean {
    const hasSession = this.isDisposable && !this.#jar.isEmpty; // a server may keep the one that it was sent
    const grant = grantIn(response, { pointer: this.identity.login?.token, hasSession });
    if (!grant) return false;
    const { access, refresh, expiresInSeconds, cookies } = grant;
    this.#jar.take(response.headers["set-cookie"]);
    this.#learnCsrf(response);
    this.#token = access ?? this.#token;
    this.#lifetimeSeconds = expiresInSeconds;
    this.#refreshToken = refresh;
    const lifetimeMs = (expiresInSeconds ?? Infinity) * 1_000;
    if (access !== undefined && lifetimeMs < Infinity)
      this.#first ??= { token: access, expiresAt: this.#deps.now() + lifetimeMs };
    this.#last = response.json;
    this.#renewAt = this.#deps.now() + lifetimeMs * RENEWAL;
    this.#deps.mask.add([access, refresh, ...cookies].filter((secret) => secret !== undefined));
    return true;
  }
}
