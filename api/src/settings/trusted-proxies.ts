import * as z from "zod";

export const MAX_PROXIES = 10;

// A range of everything would let every client name its own address.
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).refine((text) => !text.endsWith("/0"));

/**
 * Who may name the client in X-Forwarded-For, as Express takes it: a number of proxies, or a list of addresses.
 * @throws Error whose message says what it must be
 */
export function parseTrustedProxies(text: string): number | string {
  if (/^\d+$/.test(text) && Number(text) <= MAX_PROXIES) return Number(text);
  const list = text.split(",").map((part) => part.trim());
  if (list.every((part) => address.safeParse(part).success)) return list.join(",");
  throw new Error(
    `must be a number of proxies from 0 to ${MAX_PROXIES}, or a list of their addresses or CIDR ranges, with commas`,
  );
}
