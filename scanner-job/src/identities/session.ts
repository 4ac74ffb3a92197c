import type { Identity } from "@glovebox/contract";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { CookieJar } from "./cookies.ts";
import { secretsOf, statedCredentials, withCredentials, type Credentials } from "./credentials.ts";
import { csrfTokenIn, isCsrfCookie, withCsrfToken, type CsrfToken } from "./csrf.ts";
import { findTokens } from "./find-token.ts";
import type { SecretMask } from "./secret-mask.ts";
import { addressesOf, refreshRequest, signInRequest } from "./sign-in-request.ts";

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

/** Sign-ins and refreshes after the first: an API that refuses whom it has signed in would be asked without end. */
const MAX_RENEWALS = 30;
/** Share of a token's lifetime after which it is renewed. */
const RENEWAL = 0.75;

/** An identity during one scan: its credentials, and how it gets new ones. */
export class Session {
  readonly identity: Identity;
  readonly #deps: SessionDeps;
  readonly #stated: Credentials;
  readonly #jar = new CookieJar();
  #token: string | undefined;
  #csrf: CsrfToken | undefined;
  /** The JSON of the last response to a sign-in or refresh. */
  #last: unknown;
  /** The address at which the sign-in succeeded. */
  #url: string | undefined;
  #renewAt = Infinity;
  #renewals = 0;
  #renewing: Promise<boolean> | undefined;

  constructor(identity: Identity, deps: SessionDeps) {
    this.identity = identity;
    this.#deps = deps;
    this.#stated = statedCredentials(identity);
    deps.mask.add(secretsOf(identity));
  }

  /** Signs in where the identity says how. The refusal if that failed. @throws NetworkError */
  async signIn(transmit: Transmit): Promise<Refusal | undefined> {
    const { login } = this.identity;
    if (!login) return undefined;
    const urls = this.#url === undefined ? addressesOf(login.operation, this.#deps.target) : [this.#url];
    let refusal: Refusal | undefined;
    for (const url of urls) {
      const request = signInRequest(login, url);
      const response = await this.#sendSignIn(request, transmit);
      if (this.#accept(response)) {
        this.#url = url;
        return undefined;
      }
      if (refusal === undefined || !isNoRoute(response)) refusal = { request, response };
      if (!isNoRoute(response)) break;
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
    this.#jar.take(setCookie, { onlyKnown: true });
    this.#deps.mask.add(Object.values(this.#jar.cookies));
  }

  /** Whether new credentials can be had: the sign-in can be repeated. */
  get isRenewable(): boolean {
    return this.identity.login !== undefined && this.#renewals < MAX_RENEWALS;
  }

  /** Gets new credentials, once for all that ask at the same time; false where that failed. */
  renew(transmit: Transmit): Promise<boolean> {
    if (!this.isRenewable) return Promise.resolve(false);
    this.#renewing ??= this.#renewOnce(transmit).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #renewOnce(transmit: Transmit): Promise<boolean> {
    this.#renewals++;
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
      const response = await transmit(refreshRequest(refresh, url, last));
      if (this.#accept(response)) return true;
      if (!isNoRoute(response)) return false;
    }
    return false;
  }

  /** Where a form requires a token against request forgery, its page has one. */
  async #sendSignIn(request: ProbeRequest, transmit: Transmit): Promise<ProbeResponse> {
    const dressed = () =>
      this.#withCsrf(withCredentials(request, { ...this.#stated, cookies: this.#jar.cookies }));
    const response = await transmit(dressed());
    if (!asksForCsrfToken(response)) return response;
    const page = await transmit({ method: "GET", url: request.url, form: { kind: "identity" } });
    this.#jar.take(page.headers["set-cookie"]);
    this.#learnCsrf(page);
    return this.#csrf ? transmit(dressed()) : response;
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
    if (response.status >= 400) return false;
    const { login } = this.identity;
    const { access, refresh, expiresInSeconds } = findTokens(response, login?.token);
    const setCookie = response.headers["set-cookie"];
    const jar = new CookieJar();
    jar.take(setCookie);
    const hasSession = Object.keys(jar.cookies).some((name) => !isCsrfCookie(name));
    if (access === undefined && (login?.token !== undefined || !hasSession)) return false;
    if (access === undefined && leadsBack(response)) return false;
    this.#jar.take(setCookie);
    this.#learnCsrf(response);
    this.#token = access ?? this.#token;
    this.#last = response.json;
    this.#renewAt =
      expiresInSeconds === undefined ? Infinity : this.#deps.now() + expiresInSeconds * 1_000 * RENEWAL;
    this.#deps.mask.add(
      [access, refresh, ...Object.values(jar.cookies)].filter((secret) => secret !== undefined),
    );
    return true;
  }
}

const isNoRoute = ({ status }: ProbeResponse): boolean => status === 404 || status === 405;

const asksForCsrfToken = ({ status, body }: ProbeResponse): boolean =>
  status === 419 ||
  ((status === 403 || status === 400 || status === 422) && /[cx]srf|authenticity|forgery/i.test(body));

/** A sign-in by a form that failed redirects to its page, or to one that says so. */
const leadsBack = ({ redirectTarget, request }: ProbeResponse): boolean =>
  redirectTarget !== undefined &&
  (redirectTarget.pathname === new URL(request.url).pathname ||
    /[?&](error|failed?|failure|denied)\b/i.test(redirectTarget.search));
