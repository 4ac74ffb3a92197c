import { connect, isIPv6 } from "node:net";
import type { Endpoint } from "@glovebox/contract";

/** An address of this one's family that nobody has: of TEST-NET-1 (RFC 5737), of the discard-only prefix (RFC 6666). */
export const addressOfNobody = (address: string): string => (isIPv6(address) ? "100::1" : "192.0.2.1");

export interface VacantOptions {
  readonly timeoutMs?: number;
  /** Another address that nobody has. */
  readonly address?: string;
}

/**
 * Where nobody is, in the family of the canary and at its port: for scanners, to tell a network that refuses from a
 * canary that does (docs/adr/0005). Undefined where this process, which no policy of a scan seals, gets an answer
 * there: then a refusal would say nothing about a seal.
 */
export async function findVacant(
  canary: Endpoint,
  { timeoutMs = 1000, address = addressOfNobody(canary.address) }: VacantOptions = {},
): Promise<Endpoint | undefined> {
  const vacant = { address, port: canary.port };
  return (await isAnswered(vacant, timeoutMs)) ? undefined : vacant;
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
