import { parseAddress } from "./address.ts";
import { judgeHost, parseHostAddress, portOf } from "./host.ts";
import type { EgressPolicy } from "./policy.ts";

/** Every address (A and AAAA) of a host name; rejects when it cannot be resolved. */
export type Lookup = (host: string) => Promise<string[]>;

/** `message` is fit for the user: it names the host and the rule, and none of the addresses. */
export type ResolveResult =
  | { readonly ok: true; readonly addresses: string[] }
  | { readonly ok: false; readonly reason: "not_resolved" | "refused"; readonly message: string };

/**
 * Resolves the host of a URL, once, to the addresses that the scan is pinned to, in normal form and without
 * repeats. One refused address refuses them all: a name with a public and a private address is not half safe.
 */
export async function resolvePins(
  url: URL,
  { policy, lookup }: { policy: EgressPolicy; lookup: Lookup },
): Promise<ResolveResult> {
  const verdict = judgeHost(policy, url);
  const host = parseHostAddress(url.hostname);
  if (verdict !== "resolve" && !verdict.allowed) return refused(url, verdict.reason);
  if (host.kind === "address") return { ok: true, addresses: [host.address] };
  if (host.kind === "malformed") return refused(url, host.reason);

  const found = await lookup(host.name).catch(() => []);
  if (found.length === 0) {
    return { ok: false, reason: "not_resolved", message: `The host ${host.name} could not be resolved` };
  }
  for (const address of found) {
    const judged = policy.judge(address, portOf(url)!, host.name);
    if (!judged.allowed) return refused(url, judged.reason);
  }
  return { ok: true, addresses: [...new Set(found.map((address) => parseAddress(address)!.toString()))] };
}

const refused = (url: URL, reason: string): ResolveResult => ({
  ok: false,
  reason: "refused",
  message: `The host ${url.hostname} is refused: ${reason}`,
});
