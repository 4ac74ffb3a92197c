import { hostOf, type Pin } from "@glovebox/contract";
import { inRange, parseAddress, parseRange } from "./address.ts";
import type { EgressAllowance } from "./allowance.ts";
import { parseHostAddress } from "./host-address.ts";
import { portOf } from "./host.ts";
import { createEgressPolicy } from "./policy.ts";

const LOOPBACK = ["127.0.0.0/8", "::1/128"];
const EVERYTHING = ["0.0.0.0/0", "::/0"];

/** Lets a command scan a server that its user runs on the same machine: entries for a URL with `http:` and a loopback host, else none. */
export function loopbackAllowance(url: URL): EgressAllowance[] {
  const host = parseHostAddress(url.hostname);
  if (url.protocol !== "http:" || host.kind === "malformed") return [];
  const ranges = LOOPBACK.map((cidr): EgressAllowance => ({ kind: "range", cidr }));
  if (host.kind === "address") return isLoopback(host.address) ? ranges : [];
  return host.name === "localhost"
    ? [...ranges, { kind: "endpoint", host: host.name, port: portOf(url)! }]
    : [];
}

/**
 * Why a scan must not send plain HTTP to the pinned addresses; undefined where it may, and for HTTPS. It may where the traffic stays on
 * this machine, at addresses of the allow-list, and at private addresses where those are allowed. Pure.
 */
export function plainHttpRefusal(
  url: URL,
  { addresses }: Pick<Pin, "addresses">,
  { allow, allowPrivate }: { readonly allow: readonly EgressAllowance[]; readonly allowPrivate: boolean },
): string | undefined {
  if (url.protocol !== "http:") return undefined;
  const port = portOf(url)!;
  const listed = createEgressPolicy({ allow, deny: EVERYTHING });
  const publicOnly = createEgressPolicy();
  const isAllowed = (address: string): boolean =>
    isLoopback(address) ||
    listed.judge(address, port, url.hostname).allowed ||
    (allowPrivate && !publicOnly.judge(address, port).allowed);
  return addresses.every(isAllowed)
    ? undefined
    : "plain HTTP could be read and changed on its way; use https://, or list the address in GLOVEBOX_EGRESS_ALLOW";
}

/** The same for the URLs of a scan, each at its pin: which of them is refused, and why. Pure. */
export function refusalOfPlainHttp(
  urls: readonly URL[],
  pins: readonly Pin[],
  rules: Parameters<typeof plainHttpRefusal>[2],
): string | undefined {
  for (const url of urls) {
    const pin = pins.find(({ host }) => host === hostOf(url));
    const refusal = pin && plainHttpRefusal(url, pin, rules);
    if (refusal) return `${url.origin} is refused: ${refusal}.`;
  }
  return undefined;
}

const isLoopback = (text: string): boolean => {
  const address = parseAddress(text);
  return address !== undefined && LOOPBACK.some((cidr) => inRange(address, parseRange(cidr)!));
};
