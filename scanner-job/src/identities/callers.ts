import { ANONYMOUS, type Caller, type Identity } from "@glovebox/contract";
import type { CallerGate } from "../transport/caller-gate.ts";
import { OF_SESSION, ProbeResponse, type ProbeRequest } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import type { DisposableSession, DisposableSessions, ExpiredSession } from "./disposable-sessions.ts";
import { templateOf } from "../inventory/discovery/path-template.ts";
import { SecretMask } from "./secret-mask.ts";
import { addressesOf, invalidRefresh, refreshRequest } from "./sign-in-request.ts";
import { Session, type Refusal, type SessionDeps, type Transmit } from "./session.ts";

/** The target did not accept an identity: the scan would test as nobody what it reports as tested by somebody. */
export class IdentityRejected extends Error {
  constructor(name: string, { request, response }: Refusal, mask?: SecretMask) {
    const { pathname } = new URL(request.url);
    const said = (mask?.mask(response.body) ?? response.body).replace(/\s+/g, " ").trim().slice(0, 200);
    super(
      `Identity ${name}: ${request.method} ${pathname} returned ${response.status}${said === "" ? "" : `: ${said}`}`,
    );
  }
}

/** Responses with 401 after new credentials: the operation refuses the caller, whatever its token is. */
const MAX_FRUITLESS = 2;

/** What a scan waits for the expiry of a token. */
const MAX_WAIT_SECONDS = 90;
const SESSION_OF_SCAN = "Not sent: the session is one that the scan uses";

/** Sends each request as its caller: adds the credentials, renews them, and masks them in every response. */
export class Callers implements CallerGate {
  readonly mask = new SecretMask();
  readonly #sessions: Map<string, Session>;
  /** Sessions that checks opened, by the name of their caller. */
  readonly #disposable = new Map<string, Session>();
  readonly #deps: Omit<SessionDeps, "mask">;
  /** By caller and route: responses with 401 that new credentials did not change. */
  readonly #fruitless = new Map<string, number>();

  constructor(identities: readonly Identity[], deps: Omit<SessionDeps, "mask">) {
    this.#deps = deps;
    const sessions = identities.map((identity) => new Session(identity, { ...deps, mask: this.mask }));
    this.#sessions = new Map(sessions.map((session) => [session.identity.name, session]));
  }

  /** The caller of requests that name none: of several, one who may do most. */
  get baseline(): string {
    return this.#baseline?.identity.name ?? ANONYMOUS;
  }

  get #baseline(): Session | undefined {
    const sessions = [...this.#sessions.values()];
    return sessions.find(({ identity }) => identity.role === "admin") ?? sessions[0];
  }

  get all(): readonly Caller[] {
    return [...this.#sessions.values()].map(({ identity: { name, role, tenant } }) => ({
      name,
      role,
      ...(tenant !== undefined && { tenant }),
    }));
  }

  /** Signs in every identity that says how. @throws IdentityRejected, NetworkError */
  async signIn(transmit: Transmit): Promise<void> {
    for (const session of this.#sessions.values()) {
      const refusal = await session.signIn(transmit);
      if (refusal) throw new IdentityRejected(session.identity.name, refusal, this.mask);
    }
  }

  /** Signs in another identity, which is a caller from now on; false where the target refuses it. @throws NetworkError */
  async add(identity: Identity, transmit: Transmit): Promise<boolean> {
    const session = new Session(identity, { ...this.#deps, mask: this.mask });
    if (await session.signIn(transmit)) return false;
    this.#sessions.set(identity.name, session);
    return true;
  }

  /** New sessions for all who sign in, regardless of how often they did; the target may refuse some. @throws NetworkError */
  async signInAgain(transmit: Transmit): Promise<void> {
    for (const session of this.#sessions.values()) await session.signIn(transmit);
  }

  async exchange(
    request: ProbeRequest,
    transmit: Transmit,
    route = `${request.method} ${templateOf(new URL(request.url).pathname).path}`,
  ): Promise<ProbeResponse> {
    // What a session takes out of the response to its sign-in is masked only afterwards.
    if (request.form?.kind === "identity") return transmit(request);
    const session = this.#sessionOf(request);
    if (request.form?.kind === "session") return this.#endOrRenew(session, request, transmit);
    if (!session && request.as !== undefined && request.as !== ANONYMOUS)
      throw new Error(`${request.as} is not a caller of this scan`);
    if (!session) return this.#shown(request, await transmit(request), ANONYMOUS);
    const response = await this.#exchangeAs(session, { request, route }, transmit);
    session.hear(response);
    return this.#shown(request, response, session.identity.name);
  }

  async #exchangeAs(
    session: Session,
    { request, route }: { request: ProbeRequest; route: string },
    transmit: Transmit,
  ): Promise<ProbeResponse> {
    const response = await transmit(await session.dress(request, transmit));
    // An attempt with credentials is refused for these.
    if (response.status !== 401 || request.form?.kind === "attempt") return response;
    const key = `${session.identity.name} ${route}`;
    return (await this.#renewFor(session, key, transmit))
      ? this.#count(key, await transmit(await session.dress(request, transmit)))
      : response;
  }

  #sessionOf({ as }: ProbeRequest): Session | undefined {
    return as === undefined ? this.#baseline : (this.#disposable.get(as) ?? this.#sessions.get(as));
  }

  /** The session that the scan uses is never signed out, regardless of what a check asks for. */
  async #endOrRenew(
    session: Session | undefined,
    request: ProbeRequest,
    transmit: Transmit,
  ): Promise<ProbeResponse> {
    if (!session?.isDisposable) throw new NetworkError("write_refused", SESSION_OF_SCAN);
    const response = await transmit(await session.dress(session.filledIn(request), transmit));
    session.hearRenewal(response);
    return this.#shown(request, response, session.identity.name);
  }

  /** Sessions beside those that the scan uses; `transmit` sends their sign-ins. */
  disposableBy(transmit: Transmit, wait: (ms: number) => Promise<void>): DisposableSessions {
    const signingIn = [...this.#sessions.values()].filter(({ identity }) => identity.login !== undefined);
    return {
      get identities() {
        return signingIn.map(({ identity: { name, login }, signInUrls }) => ({
          ...{ name, signInUrls },
          canRefresh: login!.refresh !== undefined,
        }));
      },
      open: async (name, cookies) => {
        const session = this.#sessions.get(name)?.disposable(cookies);
        if (!session || (await session.signIn(transmit))) return undefined;
        return this.#described(session);
      },
      expired: async (name, sinceSeconds): Promise<ExpiredSession | undefined> => {
        const session = this.#sessions.get(name);
        const missing = sinceSeconds - (session?.overdueSeconds ?? -Infinity);
        if (missing > MAX_WAIT_SECONDS) return undefined;
        if (missing > 0) await wait(missing * 1_000);
        const overdueSeconds = session?.overdueSeconds;
        return session && overdueSeconds !== undefined && overdueSeconds >= sinceSeconds
          ? { caller: this.#added(session.ofFirstToken()), overdueSeconds }
          : undefined;
      },
    };
  }

  #added(session: Session): string {
    const caller = `${session.identity.name}#${this.#disposable.size + 1}`;
    this.#disposable.set(caller, session);
    return caller;
  }

  #described(session: Session): DisposableSession {
    const caller = this.#added(session);
    const refresh = session.identity.login?.refresh;
    const urls = refresh ? addressesOf(refresh.operation, this.#deps.target) : [];
    const own = (request: ProbeRequest): ProbeRequest => ({ ...request, as: caller, form: OF_SESSION });
    return {
      caller,
      lifetimeSeconds: session.lifetimeSeconds,
      refreshes: urls.map((url) => ({
        valid: own(refreshRequest(refresh!, url, undefined)),
        invalid: own(invalidRefresh(refresh!, url)),
      })),
      get rotates() {
        return session.rotates;
      },
    };
  }

  /** New credentials, unless they have not helped here before. */
  async #renewFor(session: Session, key: string, transmit: Transmit): Promise<boolean> {
    const fruitless = this.#fruitless.get(key) ?? 0;
    return fruitless < MAX_FRUITLESS && session.isRenewable && (await session.renew(transmit));
  }

  #count(key: string, response: ProbeResponse): ProbeResponse {
    this.#fruitless.set(key, response.status === 401 ? (this.#fruitless.get(key) ?? 0) + 1 : 0);
    return response;
  }

  /** The response as checks see it: to the request without credentials, and without secrets. */
  #shown(request: ProbeRequest, response: ProbeResponse, caller: string): ProbeResponse {
    return new ProbeResponse({
      request,
      caller,
      status: response.status,
      headers: this.mask.maskHeaders(response.headers),
      body: this.mask.mask(response.body),
      truncated: response.truncated,
      elapsedMs: response.elapsedMs,
    });
  }
}
