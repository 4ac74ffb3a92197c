import { isIPv6 } from "node:net";
import { listenInProcess, type Listener } from "./listeners.ts";

const METADATA = "169.254.169.254";

/**
 * Servers outside the cluster, where GLOVEBOX_CLUSTER_WORLD is a command that runs a program there, at any address of
 * the ranges in GLOVEBOX_CLUSTER_WORLD_CIDRS: on "the internet", and a cloud's metadata service among the ranges.
 */
export async function listenInWorld(): Promise<{ internet?: Listener; metadata?: Listener }> {
  const { GLOVEBOX_CLUSTER_WORLD: command, GLOVEBOX_CLUSTER_WORLD_CIDRS: ranges = "" } = process.env;
  if (!command) return {};
  const addresses = ranges.split(/\s+/).filter(Boolean).map(addressIn);
  const internet = addresses.filter((address) => address !== METADATA);
  return {
    ...(internet.length > 0 && {
      internet: await listenInProcess(internet, { port: 443, command: [command] }),
    }),
    ...(addresses.includes(METADATA) && {
      metadata: await listenInProcess([METADATA], { port: 80, command: [command] }),
    }),
  };
}

/** The only address of a range, or one inside of it. */
function addressIn(range: string): string {
  const [network = "", bits = ""] = range.split("/");
  if (bits === "32" || bits === "128") return network;
  return isIPv6(network) ? network.replace(/::$/, "::10") : network.replace(/\.0$/, ".10");
}
