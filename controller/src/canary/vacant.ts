import { connect } from "node:net";
import type { Endpoint } from "@glovebox/contract";

/** Addresses that nobody has: of TEST-NET-1 (RFC 5737), and of the discard-only prefix (RFC 6666). */
const NOBODY = ["192.0.2.1", "100::1"];

export interface VacantOptions {
  readonly timeoutMs?: number;
  /** Other addresses that nobody has. */
  readonly addresses?: readonly string[];
}

/**
 * Where nobody is, one endpoint for each address family: for scanners, to tell a network that refuses from a canary
 * that does (docs/adr/0005). Those are left out where this process, which no policy of a scan seals, gets an answer:
 * there a refusal would say nothing about a seal.
 */
export async function findVacant(
  port: number,
  { timeoutMs = 1000, addresses = NOBODY }: VacantOptions = {},
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
