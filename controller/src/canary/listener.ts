import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { AddressFamily } from "@glovebox/contract";
import type { ProbeResult } from "./protocol.ts";

/** A listener that every pod without a restricting policy can reach, and no scan pod may. */
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
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
}

const TIMEOUT_MS = 2_000;
const MAX_PROBE_BYTES = 64;

/**
 * Responds to each connection with a ProbeResult. Only a probe with an id, as other canaries and controllers send it, shows that the
 * canary was reached by another pod.
 */
export async function startCanary({ addresses, port, monotonic }: CanaryOptions): Promise<Canary> {
  const instance = randomBytes(16).toString("hex");
  const startedAt = monotonic();
  const reached = new ReachedSince();
  const resultFor = (prober: string, family: AddressFamily): ProbeResult => {
    const ageMs = Math.round(monotonic() - startedAt);
    if (/^[0-9a-f]{32}$/.test(prober) && prober !== instance) reached.note(family, ageMs);
    return { instance, ageMs, addresses: [...addresses], reachedSinceMs: reached.at(ageMs) };
  };
  const servers: Server[] = [];
  let bound = port;
  for (const address of addresses) {
    const server = createServer({ allowHalfOpen: true }, (socket) => respond(socket, resultFor));
    await once(server.listen({ port: bound, host: address }), "listening");
    // A connection that cannot be accepted (no file descriptors) must not end the canary.
    server.on("error", () => undefined);
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

function respond(socket: Socket, resultFor: (prober: string, family: AddressFamily) => ProbeResult): void {
  const family = socket.remoteFamily === "IPv6" ? "IPv6" : "IPv4";
  const timeout = setTimeout(() => socket.destroy(), TIMEOUT_MS);
  let received = "";
  socket
    .on("error", () => undefined)
    .on("close", () => clearTimeout(timeout))
    .on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      if (received.length > MAX_PROBE_BYTES) socket.destroy();
    })
    .on("end", () => socket.end(JSON.stringify(resultFor(received, family))));
}

/**
 * Without a probe for longer than this there is a gap. Peers probe every second (prober.ts), so two probes may be late or
 * lost. A scanner that has reached the canary before must find it blocked for 2 s.
 */
const GAP_MS = 3_000;

/** Since when other pods have reached this canary without a gap, in each address family. @internal */
export class ReachedSince {
  readonly #runs = new Map<AddressFamily, { readonly since: number; readonly last: number }>();

  note(family: AddressFamily, now: number): void {
    this.#runs.set(family, { since: this.#since(family, now) ?? now, last: now });
  }

  /** When the run that lasts until now began; families without one are absent. */
  at(now: number): Partial<Record<AddressFamily, number>> {
    const entries = [...this.#runs.keys()].map((family) => [family, this.#since(family, now)] as const);
    return Object.fromEntries(entries.filter(([, since]) => since !== undefined));
  }

  #since(family: AddressFamily, now: number): number | undefined {
    const run = this.#runs.get(family);
    return run && now - run.last <= GAP_MS ? run.since : undefined;
  }
}
