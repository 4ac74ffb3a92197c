import { isIP, isIPv6 } from "node:net";
import { setting, wholeNumber } from "@glovebox/settings";

export const CANARY_SETTINGS = {
  addresses: setting({
    variable: "POD_IPS",
    type: "comma-separated list of IP addresses",
    description: "Addresses of the pod, on which the canary listens. Required.",
    parse: parseAddresses,
  }),
  port: setting({
    variable: "GLOVEBOX_CANARY_PORT",
    type: "port number",
    default: "8099",
    description: "Port that the canary listens on; 0 selects a free port.",
    parse: wholeNumber(0, 65_535),
  }),
  peers: setting({
    variable: "GLOVEBOX_CANARIES",
    type: "comma-separated list of host:port",
    description:
      "Addresses of the canaries, which the canary connects to every second; they may include its own. Unset: none.",
    parse: parseHostPorts,
  }),
};

/** A host and port of canaries; a name may resolve to several of them. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/**
 * A comma-separated list of host:port; IPv6 addresses stand in brackets.
 * @throws Error whose message says what it must be
 */
export function parseHostPorts(text: string): HostPort[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== "");
  return entries.map((entry) => {
    const [, address, name, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(entry) ?? [];
    const port = Number(digits);
    const isHost = address === undefined ? /^[\w.-]+$/.test(name ?? "") : isIPv6(address);
    if (!isHost || port < 1 || port > 65_535)
      throw new Error("must be a comma-separated list of host:port, with IPv6 addresses in brackets");
    return { host: address ?? name!, port };
  });
}

/**
 * Addresses of this pod, with commas.
 * @throws Error whose message says what it must be
 * @internal
 */
export function parseAddresses(text: string): string[] {
  const addresses = text.split(/[\s,]+/).filter((entry) => entry !== "");
  if (addresses.length === 0 || !addresses.every((address) => isIP(address) !== 0))
    throw new Error("must be a comma-separated list of IP addresses");
  return addresses;
}
