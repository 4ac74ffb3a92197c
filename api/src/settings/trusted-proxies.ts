import * as z from "zod";
import { setting } from "./setting.ts";

const MOST_HOPS = 10;
const REASON = `must be a number of proxies from 0 to ${MOST_HOPS}, or a list of their addresses or CIDR ranges, with commas`;

// A range of everything would let every client name its own address.
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).refine((text) => !text.endsWith("/0"));

/** Who may name the client in X-Forwarded-For, as Express takes it: a number of proxies, or a list of addresses. */
export const trustedProxies = setting<number | string>({
  variable: "GLOVEBOX_TRUST_PROXY",
  type: "number, or list of CIDR with commas",
  fallback: "0",
  meaning:
    "Proxies before the API, whose X-Forwarded-For names the client that its address's rate limit counts: how many " +
    `there are, 0 to ${MOST_HOPS}, or their addresses. No others may reach the API then.`,
  schema: z
    .string()
    .default("0")
    .transform((text, context): number | string => {
      if (/^\d+$/.test(text) && Number(text) <= MOST_HOPS) return Number(text);
      const list = text.split(",").map((part) => part.trim());
      if (list.every((part) => address.safeParse(part).success)) return list.join(",");
      context.addIssue(REASON);
      return z.NEVER;
    }),
});
