import { ApiError } from "@glovebox/contract";
import { judgeHost, resolvePins, type EgressPolicy, type Lookup } from "@glovebox/egress";

const LOOKUP_MS = 2_000;

export type TargetGuard = (field: "url" | "specUrl", url: URL) => Promise<void>;

/**
 * Refuses what a scan may not reach. Addresses and local names are judged at once; other names are resolved, and
 * refused when any address is. A name that does not resolve in time is let through: the scan resolves it again, under
 * the same policy, and fails with a reason that its reader understands.
 * @throws ApiError `invalid_url` from the guard.
 */
export function createTargetGuard({ policy, lookup }: { policy: EgressPolicy; lookup: Lookup }): TargetGuard {
  const boundedLookup: Lookup = (host) => inTime(lookup(host));
  return async (field, url) => {
    const verdict = judgeHost(policy, url);
    if (verdict !== "resolve") {
      if (verdict.allowed) return;
      throw refused(field, verdict.reason);
    }
    const pins = await resolvePins(url, { policy, lookup: boundedLookup });
    if (!pins.ok && pins.reason === "refused") throw new ApiError("invalid_url", `${field}: ${pins.message}`);
  };
}

const refused = (field: string, reason: string): ApiError =>
  new ApiError("invalid_url", `${field}: the host is refused by the egress policy (${reason})`);

async function inTime(lookup: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const none = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), LOOKUP_MS);
  });
  try {
    return await Promise.race([lookup, none]);
  } finally {
    clearTimeout(timer);
  }
}
