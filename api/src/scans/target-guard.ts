import { ApiError, type ScanRequest } from "@glovebox/contract";
import { judgeHost, parseHostAddress, resolvePins, type EgressPolicy, type Lookup } from "@glovebox/egress";

/** Refuses what a scan may not reach; both throw the ApiError `invalid_url`. */
export interface TargetGuard {
  /** By addresses and local names, at once. Tells whether names are left that have to be looked up. */
  judge(request: ScanRequest): "allowed" | "lookUp";
  /**
   * By the addresses of names: refused when any of them is. A name that does not resolve in time is let through: the
   * scan resolves it again, under the same policy, and fails with a reason that its reader understands.
   */
  lookUp(request: ScanRequest, lookup: Lookup): Promise<void>;
}

export function createTargetGuard(policy: EgressPolicy): TargetGuard {
  return {
    judge(request) {
      const verdicts = fieldsOf(request).map(([field, url]) => {
        const verdict = judgeHost(policy, url);
        if (verdict === "resolve" || verdict.allowed) return verdict;
        const reason = `the host is refused by the egress policy (${verdict.reason})`;
        throw new ApiError("invalid_url", `${field}: ${reason}`);
      });
      return verdicts.includes("resolve") ? "lookUp" : "allowed";
    },
    async lookUp(request, lookup) {
      for (const [field, url] of fieldsOf(request)) {
        const host = parseHostAddress(url.hostname);
        if (host.kind !== "name") continue;
        const found = await lookup(host.name); // here, because what it throws is no answer about the name
        const pins = await resolvePins(url, { policy, lookup: async () => found });
        if (!pins.ok && pins.code === "egress_refused")
          throw new ApiError("invalid_url", `${field}: ${pins.message}`);
      }
    },
  };
}

const fieldsOf = ({ url, specUrl }: ScanRequest): (readonly ["url" | "specUrl", URL])[] => [
  ["url", new URL(url)],
  ...(specUrl === undefined ? [] : [["specUrl", new URL(specUrl)] as const]),
];
