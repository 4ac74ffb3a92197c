import { networkInterfaces } from "node:os";
import type { AddressFamily } from "@glovebox/contract";

/** Address families in which this machine may reach others: of addresses that are neither its own nor its link's. */
export function addressFamilies(interfaces = networkInterfaces()): ReadonlySet<AddressFamily> {
  const found = new Set<AddressFamily>();
  for (const { internal, address, family } of Object.values(interfaces).flatMap((some) => some ?? []))
    if (!internal && !isLinkLocal(address)) found.add(family);
  return found;
}

const isLinkLocal = (address: string): boolean => /^(fe[89ab].:|169\.254\.)/i.test(address);
