import { parseHostAddress } from "./host-address.ts";
import type { EgressPolicy, EgressVerdict } from "./policy.ts";

/**
 * Checks the host of a URL without resolving it: an address is decided immediately, a local name is refused unless
 * the allow-list has it with this port, any other name is `"resolve"`: its addresses decide.
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

/** Endings under which no public host can be: special use (RFC 6761, 6762, 8375), ICANN's `internal`, and habit. */
const LOCAL_ENDINGS = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "svc",
  "cluster.local",
  "kubernetes.default",
] as const;

/** Names under which clouds serve credentials to their machines. */
const METADATA_NAMES = ["metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"];

/** Why a name is local, or undefined. Expects the normal form: lower case, punycode, no trailing dot. */
export function localNameReason(name: string): string | undefined {
  if (METADATA_NAMES.some((ending) => endsIn(name, ending))) return "metadata name";
  if (LOCAL_ENDINGS.some((ending) => endsIn(name, ending))) return "local name";
  return name.includes(".") ? undefined : "single-label name";
}

const endsIn = (name: string, ending: string): boolean => name === ending || name.endsWith(`.${ending}`);
