import { connect } from "node:net";
import type { Endpoint } from "@glovebox/contract";

/** Addresses that no host has: of TEST-NET-1 (RFC 5737), and of the discard-only prefix (RFC 6666). */
const CONTROL_ADDRESSES = ["192.0.2.1", "100::1"];

export interface ControlAddressOptions {
  readonly timeoutMs?: number;
  /** Other addresses that no host has. */
  readonly addresses?: readonly string[];
}

/**
 * Control endpoints, one for each address family: by them scanners tell a network that rejects connections from a canary
 * that refuses them (docs/adr/0005). Left out are those where this process, to which no policy of a scan applies, gets an
 * answer: there a refusal would prove nothing.
 */
export async function findControlEndpoints(
  port: number,
  { timeoutMs = 1000, addresses = CONTROL_ADDRESSES }: ControlAddressOptions = {},
): Promise<Endpoint[]> {
  const tried = addresses.map(async (address) => {
    const endpoint = { address, port };
    return (await isAnswered(endpoint, timeoutMs)) ? undefined : endpoint;
  });
  return (await Promise.all(tried)).filter((endpoint) => endpoint !== undefined);
}

function isAnswered({ address, port }: Endpoint, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: timeoutMs });
    const end = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", ({ code }: NodeJS.ErrnoException) =>
      end(code === "ECONNREFUSED" || code === "ECONNRESET"),
    );
  });
}
