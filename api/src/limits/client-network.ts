import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { rateState, tighter, type RateCounter, type RateState } from "./rate-limit.ts";

/**
 * The address of a client in its normal form: of what a connection or `X-Forwarded-For` says, where some gateways add the port.
 * Undefined for anything that is not an address, such as the `unknown` of RFC 7239.
 */
export function clientAddress(said: string | undefined): string | undefined {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(said ?? "")?.[1] ?? /^([\d.]+):\d+$/.exec(said ?? "")?.[1] ?? said;
  return bare !== undefined && isIP(bare) > 0
    ? ipaddr.process(bare.replace(/%.*$/, "")).toString()
    : undefined;
}

/** Networks that one subscriber may have, and how many times the limit of an address all of it has. */
const PREFIXES = [
  { bits: 64, factor: 1 },
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
] as const;

export interface ClientNetwork {
  readonly key: string;
  readonly factor: number;
}

/**
 * What requests of a client are counted under: its IPv4 address, or the /64, /56 and /48 of its IPv6 address, because a subscriber
 * has at least the first and often all of the second or the third. Everything that is not an address is one client.
 */
export function networksOf(address: string | undefined): readonly [ClientNetwork, ...ClientNetwork[]] {
  const known = clientAddress(address);
  if (known === undefined) return [{ key: "address:unknown", factor: 1 }];
  const parsed = ipaddr.parse(known);
  if (parsed.kind() === "ipv4") return [{ key: `address:${known}`, factor: 1 }];
  const [narrow, ...wider] = PREFIXES.map(({ bits, factor }) => ({
    key: `address:${ipaddr.IPv6.networkAddressFromCIDR(`${known}/${bits}`).toString()}/${bits}`,
    factor,
  }));
  return [narrow!, ...wider];
}

/** Counts a request of the client in all its networks; the state of the limit that is reached first. */
export async function countClient(
  counter: RateCounter,
  { address, scope = "" }: { readonly address: string | undefined; readonly scope?: string },
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<RateState> {
  const states = await Promise.all(
    networksOf(address).map(async ({ key, factor }) =>
      rateState(await counter.count(`${scope}${key}`), limit * factor, now),
    ),
  );
  return states.reduce(tighter);
}
