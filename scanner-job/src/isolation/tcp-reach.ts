import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import type { AddressFamily } from "@glovebox/contract";
import type { Reach } from "./prove-isolation.ts";

/** This many connections are begun within the time, each with its first packet. */
const ATTEMPTS = 4;

/**
 * Tries to connect by TCP until there is a response, and closes its connections. What neither accepts nor refuses
 * within `timeoutMs` counts as blocked; so does an address without a route, as some networks reject what a policy
 * forbids. Connections are begun one after another in that time: the kernel would repeat a packet that was lost only
 * after a second.
 */
export async function tcpReach(address: string, port: number, timeoutMs = 2_000): Promise<Reach> {
  const over = new AbortController();
  const everyMs = timeoutMs / (ATTEMPTS + 1);
  const reaches = Array.from({ length: ATTEMPTS }, (_, attempt) =>
    delayed(attempt * everyMs, over.signal, () => connectOnce({ address, port }, over.signal)),
  );
  // A stalled process handles the pending socket events first.
  const timer = setTimeout(() => setImmediate(() => over.abort()), timeoutMs);
  const response = await firstResponse(reaches);
  clearTimeout(timer);
  over.abort();
  return response;
}

/** The first that is not `blocked`; or `blocked` once all are. */
const firstResponse = (reaches: readonly Promise<Reach>[]): Promise<Reach> =>
  Promise.any(
    reaches.map(async (reach) => {
      const seen = await reach;
      if (seen === "blocked") throw new Error("No response");
      return seen;
    }),
  ).catch(() => "blocked");

function delayed(ms: number, signal: AbortSignal, start: () => Promise<Reach>): Promise<Reach> {
  if (ms === 0) return start();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(start()), ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve("blocked");
    });
  });
}

function connectOnce(to: { address: string; port: number }, signal: AbortSignal): Promise<Reach> {
  return new Promise((resolve) => {
    const socket = connect({ host: to.address, port: to.port });
    const settle = (reach: Reach) => {
      socket.destroy();
      resolve(reach);
    };
    signal.addEventListener("abort", () => settle("blocked"));
    socket.once("connect", () => settle("connected"));
    socket.once("error", (error: NodeJS.ErrnoException) => settle(isResponse(error) ? "refused" : "blocked"));
  });
}

/** The host at that address, or a device in front of it, refused the connection. */
const isResponse = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "ECONNREFUSED" || code === "ECONNRESET";

/** Address families in which this machine may reach others: of addresses that are neither its own nor its link's. */
export function addressFamilies(interfaces = networkInterfaces()): ReadonlySet<AddressFamily> {
  const found = new Set<AddressFamily>();
  for (const { internal, address, family } of Object.values(interfaces).flatMap((some) => some ?? []))
    if (!internal && !isLinkLocal(address)) found.add(family);
  return found;
}

const isLinkLocal = (address: string): boolean => /^(fe[89ab].:|169\.254\.)/i.test(address);
