import { randomBytes } from "node:crypto";
import type { Variant } from "../route.ts";

/** `expiresIn` is in seconds. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
}

/** A session of the desk: the values of its two cookies. */
export interface DeskSession {
  cookie: string;
  csrf: string;
}

interface Session {
  user: string;
  ended: boolean;
}

const secret = (): string => randomBytes(24).toString("base64url");

export interface SessionOptions {
  variant: Variant;
  /** Lifetime of an access token, in seconds. */
  accessSeconds: number;
  now: () => Date;
}

/**
 * Who is signed in, in memory. The vulnerable variant checks neither the expiry of an access token, nor the end of its session, nor
 * whether a refresh token was used before.
 */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #sessions = new Set<Session>();
  readonly #access = new Map<string, { session: Session; expiresAt: number }>();
  readonly #refresh = new Map<string, { session: Session; used: boolean }>();
  readonly #desk = new Map<string, { session: Session; csrf: string }>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  start(user: string): Tokens {
    return this.#issue(this.#begin(user));
  }

  startDesk(user: string): DeskSession {
    const [cookie, csrf] = [secret(), secret()];
    this.#desk.set(cookie, { session: this.#begin(user), csrf });
    return { cookie, csrf };
  }

  /** The id of the user whom an access token belongs to. */
  userOf(accessToken: string): string | undefined {
    const grant = this.#access.get(accessToken);
    if (!grant) return undefined;
    const isValid = !grant.session.ended && grant.expiresAt > this.#options.now().getTime();
    return isValid || this.#isLax ? grant.session.user : undefined;
  }

  /** The id of the user of a desk session, and the token that its writes must repeat. */
  deskUserOf(cookie: string): { user: string; csrf: string } | undefined {
    const desk = this.#desk.get(cookie);
    return desk && !desk.session.ended ? { user: desk.session.user, csrf: desk.csrf } : undefined;
  }

  /** New tokens for a refresh token. The second use of one ends the session: somebody else has it. */
  renew(refreshToken: string): Tokens | undefined {
    const grant = this.#refresh.get(refreshToken);
    if (!grant) return undefined;
    const { session, used } = grant;
    grant.used = true;
    if (this.#isLax) return this.#issue(session);
    if (used) session.ended = true;
    return session.ended ? undefined : this.#issue(session);
  }

  /** Ends the session of an access token or of a desk cookie. */
  end(credential: string): void {
    const session = this.#access.get(credential)?.session ?? this.#desk.get(credential)?.session;
    if (session) session.ended = true;
  }

  endAllOf(user: string): void {
    for (const session of this.#sessions) if (session.user === user) session.ended = true;
  }

  get #isLax(): boolean {
    return this.#options.variant === "vulnerable";
  }

  #begin(user: string): Session {
    const session = { user, ended: false };
    this.#sessions.add(session);
    return session;
  }

  #issue(session: Session): Tokens {
    const { accessSeconds, now } = this.#options;
    const [accessToken, refreshToken] = [secret(), secret()];
    this.#access.set(accessToken, { session, expiresAt: now().getTime() + accessSeconds * 1000 });
    this.#refresh.set(refreshToken, { session, used: false });
    return { accessToken, refreshToken, expiresIn: accessSeconds };
  }
}
