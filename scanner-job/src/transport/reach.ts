import { connect } from "node:net";
import type { Reach } from "../isolation.ts";

/**
 * Tries one TCP connection and closes it. Whatever neither accepts nor refuses within `timeoutMs` counts as blocked;
 * so does an address without a route, as some networks reject what a policy forbids.
 */
export function tcpReach(address: string, port: number, timeoutMs = 2_000): Promise<Reach> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const settle = (reach: Reach) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reach);
    };
    const timer = setTimeout(() => settle("blocked"), timeoutMs);
    socket.once("connect", () => settle("connected"));
    socket.once("error", (error: NodeJS.ErrnoException) => settle(isAnswer(error) ? "refused" : "blocked"));
  });
}

/** Somebody at that address, or in front of it, answered that there is no such connection. */
const isAnswer = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "ECONNREFUSED" || code === "ECONNRESET";
