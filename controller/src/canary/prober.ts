import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { connect, isIP } from "node:net";
import type { Endpoint } from "@glovebox/contract";
import type { Clock } from "@glovebox/kube";
import type { HostPort } from "./settings.ts";

export const canaryEndpointKey = ({ address, port }: Endpoint): string => `${address} ${port}`;

const INTERVAL_MS = 1_000;
const ROUNDS_PER_LOOKUP = 3;
const TIMEOUT_MS = 2_000;
const MAX_RESULT_BYTES = 4_096;

export interface ProberDeps {
  readonly targets: readonly HostPort[];
  readonly clock: Pick<Clock, "after">;
  /** The id that it sends with each probe: 32 hex digits. */
  readonly instance?: string;
  /** The response, or undefined when there was none in time. */
  readonly onResult?: (at: Endpoint, text: string | undefined) => void;
  readonly addressesOf?: (host: string) => Promise<readonly string[]>;
  readonly probe?: typeof probe;
}

/** Probes the canaries at all addresses of its targets, every second. */
export class Prober {
  readonly #deps: Required<ProberDeps>;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<string>();
  /** The last addresses of each target; kept while its name does not resolve. */
  readonly #addresses = new Map<HostPort, readonly string[]>();
  #round = 0;

  constructor(deps: ProberDeps) {
    this.#deps = {
      instance: randomBytes(16).toString("hex"),
      onResult: () => undefined,
      addressesOf: systemAddressesOf,
      probe,
      ...deps,
    };
  }

  start(): void {
    void this.#lookUp().then(() => this.#probeAll());
    this.#schedule();
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** One more probe, of this endpoint alone. */
  probe(at: Endpoint): Promise<string | undefined> {
    return this.#deps.probe(at, this.#deps.instance, this.#stopping.signal);
  }

  #schedule(): void {
    this.#deps.clock.after(INTERVAL_MS, () => {
      if (this.#stopping.signal.aborted) return;
      // Lookups and probes run independently: a name server may be slow, and a canary unreachable.
      if (++this.#round % ROUNDS_PER_LOOKUP === 0) void this.#lookUp();
      void this.#probeAll();
      this.#schedule();
    });
  }

  async #lookUp(): Promise<void> {
    const { targets, addressesOf } = this.#deps;
    await Promise.all(
      targets.map(async (target) => {
        const found = await addressesOf(target.host).catch(() => undefined);
        if (found) this.#addresses.set(target, found);
      }),
    );
  }

  async #probeAll(): Promise<void> {
    const all = [...this.#addresses].flatMap(([{ port }, found]) =>
      found.map((address) => ({ address, port })),
    );
    await Promise.all(all.map((at) => this.#probeOnce(at)));
  }

  async #probeOnce(at: Endpoint): Promise<void> {
    const key = canaryEndpointKey(at);
    if (this.#underWay.has(key) || this.#stopping.signal.aborted) return;
    this.#underWay.add(key);
    this.#deps.onResult(at, await this.probe(at));
    this.#underWay.delete(key);
  }
}

/** Connects, sends the id and reads the response; undefined when there was none in time. @internal */
export function probe(
  { address, port }: Endpoint,
  instance: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // Not as the option of the socket, which Node leaves with the signal for as long as the process runs.
    const socket = connect({ host: address, port });
    const end = (text: string | undefined): void => {
      clearTimeout(timeout);
      signal.removeEventListener("abort", abort);
      socket.destroy();
      resolve(text);
    };
    const abort = (): void => end(undefined);
    const timeout = setTimeout(abort, TIMEOUT_MS);
    signal.addEventListener("abort", abort, { once: true });
    socket
      .on("error", abort)
      .on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_RESULT_BYTES) end(undefined);
      })
      .on("end", () => end(Buffer.concat(chunks).toString()))
      .end(instance);
  });
}

const systemAddressesOf = async (host: string): Promise<readonly string[]> =>
  isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];
