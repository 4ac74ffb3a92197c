import { parseHostAddress } from "./host-address.ts";
import { localNameReason } from "./local-names.ts";
import type { EgressPolicy, EgressVerdict } from "./policy.ts";

export { parseHostAddress } from "./host-address.ts";
export type { ParsedHost } from "./host-address.ts";

/**
 * Judges the host of a URL without any look-up: an address at once, a name that is local by nature refused unless
 * the allow-list has it with this port, any other name `"resolve"`: whether it may be reached its addresses tell.
 */
export function judgeHost(policy: EgressPolicy, url: URL): EgressVerdict | "resolve" {
  const port = portOf(url);
  if (port === undefined) return { allowed: false, reason: "not an HTTP address" };
  const host = parseHostAddress(url.hostname);
  if (host.kind === "malformed") return { allowed: false, reason: `unusable host: ${host.reason}` };
  if (host.kind === "address") return policy.judge(host.address, port);
  const local = localNameReason(host.name);
  if (local === undefined || policy.allowsName(host.name, port)) return "resolve";
  return { allowed: false, reason: local };
}

/** The TCP port that a request to the URL goes to; undefined where it is not HTTP or HTTPS. */
export function portOf({ protocol, port }: URL): number | undefined {
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
