import { parseAddresses, parsePlaces, type Place } from "./places.ts";

/** Settings of the canary, which is small and reads them without a library. */
export interface CanarySettings {
  readonly addresses: readonly string[];
  readonly port: number;
  readonly peers: readonly Place[];
}

/** As the documentation lists them. */
export const canarySettingRows = () => [
  {
    name: "POD_IPS",
    type: "list of IP addresses, with commas",
    default: undefined,
    meaning: "Addresses of its pod, at which it listens. It must be set.",
  },
  {
    name: "GLOVEBOX_CANARY_PORT",
    type: "port number",
    default: "8099",
    meaning: "Its port; 0 takes any free one.",
  },
  {
    name: "GLOVEBOX_CANARIES",
    type: "list of host:port, with commas",
    default: undefined,
    meaning: "Where the other canaries are, and perhaps itself: it calls them every second. Unset: nowhere.",
  },
];

/**
 * From the environment; an empty variable counts as unset.
 * @throws Error with one line that names the variable and the reason
 */
export function readCanarySettings(environment: NodeJS.ProcessEnv): CanarySettings {
  const read = <T>(name: string, parse: (text: string) => T): T => {
    try {
      const fallback = canarySettingRows().find((row) => row.name === name)?.default;
      return parse(environment[name] || (fallback ?? ""));
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
  };
  return {
    addresses: read("POD_IPS", parseAddresses),
    port: read("GLOVEBOX_CANARY_PORT", parsePort),
    peers: read("GLOVEBOX_CANARIES", parsePlaces),
  };
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) throw new Error("must be a whole number from 0 to 65535");
  return port;
}
