import { ApiError, type ScanRequest } from "@glovebox/contract";
import { withTimeout } from "@glovebox/domain";
import {
  judgeHost,
  parseHostAddress,
  plainHttpRefusal,
  resolvePins,
  type EgressAllowance,
  type EgressPolicy,
  type Lookup,
} from "@glovebox/egress";
import { ExpiringCache } from "../expiring-cache.ts";

/** A name is not resolved again for an account within this time. The scan always resolves it, by the same policy. */
const CHECKED_MS = 10_000;

/** Refuses targets by the egress policy; both methods throw the ApiError `invalid_url`. */
export interface TargetGuard {
  /** Checks addresses and local names. Returns whether names have to be resolved: those that were not, a moment ago. */
  judge(request: ScanRequest, accountId: string): "allowed" | "lookUp";
  /**
   * Resolves names and checks their addresses. A name that does not resolve in time is accepted: the scan resolves it again,
   * with the same policy, and fails with a reason.
   */
  lookUp(request: ScanRequest, accountId: string): Promise<void>;
}

export interface TargetGuardDeps {
  readonly policy: EgressPolicy;
  /** Where scans may go over plain HTTP, beside loopback. */
  readonly allow: readonly EgressAllowance[];
  readonly lookups: Pick<DnsLookups, "of">;
  readonly now: () => Date;
}

export function createTargetGuard({ policy, allow, lookups, now }: TargetGuardDeps): TargetGuard {
  const checked = new ExpiringCache<true>({ ms: CHECKED_MS, maxEntries: 10_000 });
  const keyOf = (url: URL, accountId: string): string => `${accountId} ${url.origin}`;
  const requireTls = (field: "url" | "specUrl", url: URL, addresses: string[]): void => {
    const refusal = plainHttpRefusal(url, { addresses }, { allow, allowPrivate: false });
    if (refusal) throw new ApiError("invalid_url", refusal, { field });
  };
  return {
    judge(request, accountId) {
      const mustResolve = fieldsOf(request).filter(([field, url]) => {
        const verdict = judgeHost(policy, url);
        const host = parseHostAddress(url.hostname);
        if (host.kind === "address") requireTls(field, url, [host.address]);
        if (verdict === "resolve") return !checked.get(keyOf(url, accountId), now());
        // Of a name that is allowed as such, plain HTTP may go to some addresses only.
        if (verdict.allowed) return host.kind === "name" && url.protocol === "http:";
        const reason = `the host is refused by the egress policy (${verdict.reason})`;
        throw new ApiError("invalid_url", reason, { field });
      });
      return mustResolve.length > 0 ? "lookUp" : "allowed";
    },
    async lookUp(request, accountId) {
      const lookup = lookups.of(accountId);
      for (const [field, url] of fieldsOf(request)) {
        const host = parseHostAddress(url.hostname);
        if (host.kind !== "name") continue;
        const found = await lookup(host.name); // outside of resolvePins, because its errors are not about the name
        const pins = await resolvePins(url, { policy, lookup: async () => found });
        if (!pins.ok && pins.code === "egress_refused")
          throw new ApiError("invalid_url", pins.message, { field });
        if (pins.ok) requireTls(field, url, pins.addresses);
        if (pins.ok) checked.set(keyOf(url, accountId), true, now());
      }
    },
  };
}

const fieldsOf = ({ url, specUrl }: ScanRequest): (readonly ["url" | "specUrl", URL])[] => [
  ["url", new URL(url)],
  ...(specUrl === undefined ? [] : [["specUrl", new URL(specUrl)] as const]),
];

/** How long a request waits for a name, in milliseconds. */
const LOOKUP_MS = 2_000;

export interface LookupLimits {
  /** Names that are resolved at a time for one account. */
  readonly perAccount: number;
  /** In all. */
  readonly total: number;
}

/**
 * Resolves names, with a limit of concurrent lookups per account, so that slow names of one account do not delay others.
 * Concurrent requests of an account share the lookup of a name. A name that does not resolve in time has no addresses.
 */
export class DnsLookups {
  readonly #lookup: Lookup;
  readonly #limits: LookupLimits;
  readonly #underWay = new Map<string, Map<string, Promise<readonly string[]>>>();
  #count = 0;

  constructor(lookup: Lookup, limits: LookupLimits) {
    this.#lookup = lookup;
    this.#limits = limits;
  }

  /** @throws ApiError `rate_limit_exceeded` or `unavailable`, from the lookup, when too many names are being resolved. */
  of(accountId: string): Lookup {
    return (host) => this.#underWay.get(accountId)?.get(host) ?? this.#begin(accountId, host);
  }

  async #begin(accountId: string, host: string): Promise<readonly string[]> {
    const own = this.#underWay.get(accountId) ?? new Map<string, Promise<readonly string[]>>();
    if (own.size >= this.#limits.perAccount) throw tooManyOfAccount();
    if (this.#count >= this.#limits.total) throw tooMany();
    this.#underWay.set(accountId, own);
    this.#count++;
    const response = inTime(host, this.#lookup).finally(() => {
      this.#count--;
      own.delete(host);
      if (own.size === 0) this.#underWay.delete(accountId);
    });
    own.set(host, response);
    return response;
  }
}

async function inTime(host: string, lookup: Lookup): Promise<readonly string[]> {
  const over = new AbortController();
  const error = (): Error => new Error("no response in time");
  try {
    return await withTimeout(lookup(host, over.signal), { ms: LOOKUP_MS, error });
  } catch (reason) {
    over.abort(reason);
    return [];
  }
}

const RETRY = { "Retry-After": String(LOOKUP_MS / 1000) };
const tooManyOfAccount = (): ApiError =>
  new ApiError("rate_limit_exceeded", "Too many host names of this account are being resolved.", {
    headers: RETRY,
  });
const tooMany = (): ApiError =>
  new ApiError("unavailable", "Too many host names are being resolved.", { headers: RETRY });
