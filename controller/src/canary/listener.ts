import { randomBytes } from "node:crypto";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { AddressFamily } from "@glovebox/contract";
import { Calls } from "./calls.ts";
import type { CanaryWord } from "./word.ts";

/** A listener that every unsealed pod can reach, and no sealed one may. */
export interface Canary {
  readonly instance: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface CanaryOptions {
  /** Where it listens: the addresses of its pod. */
  readonly addresses: readonly string[];
  /** 0 takes a free one, the same at each address. */
  readonly port: number;
  /** Milliseconds since some moment in the past; it never goes back. */
  readonly monotonic: () => number;
}

/** No call takes longer. */
const CALL_MS = 2_000;
/** What a caller may say of itself. */
const MOST_BYTES = 64;

/**
 * Hears whoever connects out, says its word (CanaryWord) and hangs up. Who gives a name of its own, as peers do, has
 * reached the canary from elsewhere; so a call that never left the pod does not count, nor does that of a scanner.
 */
export async function startCanary({ addresses, port, monotonic }: CanaryOptions): Promise<Canary> {
  const instance = randomBytes(16).toString("hex");
  const startedAt = monotonic();
  const age = (): number => Math.round(monotonic() - startedAt);
  const calls = new Calls();
  const wordFor = (name: string, family: AddressFamily): CanaryWord => {
    const ageMs = age();
    if (/^[0-9a-f]{32}$/.test(name) && name !== instance) calls.note(family, ageMs);
    return { instance, ageMs, addresses: [...addresses], reachedSinceMs: calls.since(ageMs) };
  };
  const servers: Server[] = [];
  let bound = port;
  for (const address of addresses) {
    const server = createServer({ allowHalfOpen: true }, (socket) => answer(socket, wordFor));
    await listen(server, bound, address);
    bound = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  return {
    instance,
    port: bound,
    close: async () =>
      void (await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))),
  };
}

function answer(socket: Socket, wordFor: (name: string, family: AddressFamily) => CanaryWord): void {
  const family = socket.remoteFamily === "IPv6" ? "IPv6" : "IPv4";
  const over = setTimeout(() => socket.destroy(), CALL_MS);
  let said = "";
  socket
    .on("error", () => undefined)
    .on("close", () => clearTimeout(over))
    .on("data", (chunk: Buffer) => {
      said += chunk.toString("latin1");
      if (said.length > MOST_BYTES) socket.destroy();
    })
    .on("end", () => socket.end(JSON.stringify(wordFor(said, family))));
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen({ port, host }, () => resolve());
  });
}
