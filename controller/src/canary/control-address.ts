import { connect } from "node:net";
import type { Endpoint } from "@glovebox/contract";

/** Unassigned addresses: of TEST-NET-1 (RFC 5737), and of the discard-only prefix (RFC 6666). */
const CONTROL_ADDRESSES = ["192.0.2.1", "100::1"];

export interface ControlAddressOptions {
  readonly timeoutMs?: number;
  /** Other unassigned addresses, for tests. */
  readonly addresses?: readonly string[];
}

/**
 * Control endpoints, one for each address family, by which scanners distinguish a network that rejects connections from a canary
 * that refuses them (docs/adr/0005). Endpoints at which this process gets a response are left out, because no policy of a scan
 * applies to it: a refusal there would prove nothing.
 */
export async function findControlEndpoints(
  port: number,
  { timeoutMs = 1000, addresses = CONTROL_ADDRESSES }: ControlAddressOptions = {},
): Promise<Endpoint[]> {
  const tried = addresses.map(async (address) => {
    const endpoint = { address, port };
    return (await responds(endpoint, timeoutMs)) ? undefined : endpoint;
  });
  return (await Promise.all(tried)).filter((endpoint) => endpoint !== undefined);
}

function responds({ address, port }: Endpoint, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: timeoutMs });
    const end = (responded: boolean): void => {
      socket.destroy();
      resolve(responded);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", ({ code }: NodeJS.ErrnoException) =>
      end(code === "ECONNREFUSED" || code === "ECONNRESET"),
    );
  });
}
