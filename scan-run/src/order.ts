import type { Pin, ScanOrder, ScanRequest } from "@glovebox/contract";

export interface OrderedTarget {
  readonly scanId: string;
  readonly url: string;
  readonly spec?: ScanOrder["spec"];
  readonly pins: readonly Pin[];
}

/** What is the same for every scan of a launcher, and what only some scans have. */
export type OrderTerms = Pick<ScanOrder, "limits"> & Partial<Omit<ScanOrder, keyof OrderedTarget | "limits">>;

/** The order of a scanner. Absent and undefined terms are left out. Pure. */
export function scanOrder({ scanId, url, spec, pins }: OrderedTarget, terms: OrderTerms): ScanOrder {
  const { limits, ...optional } = terms;
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return {
    scanId,
    url,
    ...(spec && { spec }),
    ...(Object.fromEntries(given) as Omit<OrderTerms, "limits">),
    // The scanner connects to the addresses; where a Service forwards them is for the network policy.
    pins: pins.map(({ backends: _, ...pin }) => pin),
    limits,
  };
}

/** The document of a submitted scan, as an order names it. */
export const specOf = ({ specUrl }: Pick<ScanRequest, "specUrl">): ScanOrder["spec"] =>
  specUrl === undefined ? undefined : { from: "url", url: specUrl };
