import type { ProbeRequest } from "../transport/exchange.ts";

/** A session of its own of an identity, which a check may end (docs/adr/0036). Its credentials never change: what ended must stay ended. */
export interface DisposableSession {
  /** For `as`. */
  readonly caller: string;
  /** What the sign-in said, in seconds. */
  readonly lifetimeSeconds: number | undefined;
  /** By each of these addresses it may be renewed, with its refresh token and with one that cannot be right. */
  readonly refreshes: readonly { readonly valid: ProbeRequest; readonly invalid: ProbeRequest }[];
  /** Whether a refresh has brought another refresh token. */
  readonly rotates: boolean;
}

/** The first credentials of an identity, which are used no more. */
export interface ExpiredSession {
  /** For `as`. */
  readonly caller: string;
  /** Time since they expired. */
  readonly overdueSeconds: number;
}

/** Sessions beside those that the scan uses. */
export interface DisposableSessions {
  /** The identities that sign in. */
  readonly identities: readonly {
    readonly name: string;
    /** Where it signed in, or may do so. */
    readonly signInUrls: readonly string[];
    readonly canRefresh: boolean;
  }[];
  /** Signs in once more, with these cookies of before; undefined where that is refused. @throws NetworkError */
  open(identity: string, cookies?: Readonly<Record<string, string>>): Promise<DisposableSession | undefined>;
  /** Waits until the first token has expired for this long, if that is soon. Undefined where it is not, or never. */
  expired(identity: string, sinceSeconds: number): Promise<ExpiredSession | undefined>;
}

/** Of a scan in which nobody signs in. */
export const NO_SESSIONS: DisposableSessions = {
  identities: [],
  open: () => Promise.resolve(undefined),
  expired: () => Promise.resolve(undefined),
};
