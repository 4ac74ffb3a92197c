import { randomBytes } from "node:crypto";
import { lookup } from "node:dns/promises";
import { connect, isIP } from "node:net";
import type { Endpoint } from "@glovebox/contract";
import type { Clock } from "@glovebox/kube";
import type { Place } from "./places.ts";

export const keyOf = ({ address, port }: Endpoint): string => `${address} ${port}`;

const EVERY_MS = 1_000;
/** Names are looked up once in so many rounds. */
const ROUNDS_PER_LOOKUP = 3;
const CALL_MS = 2_000;
const MOST_BYTES = 4_096;

export interface ProberDeps {
  readonly places: readonly Place[];
  readonly clock: Pick<Clock, "after">;
  /** The name that it gives to those that it calls: 32 hex digits. */
  readonly name?: string;
  /** What was said there; undefined where nothing was in time. */
  readonly heard?: (at: Endpoint, text: string | undefined) => void;
  readonly addressesOf?: (host: string) => Promise<readonly string[]>;
  readonly call?: typeof call;
}

/** Calls the canaries of all addresses of its places, every second. */
export class Prober {
  readonly #deps: Required<ProberDeps>;
  readonly #over = new AbortController();
  readonly #underWay = new Set<string>();
  /** By place; what was found last stays while names cannot be looked up. */
  readonly #found = new Map<Place, readonly string[]>();
  #round = 0;

  constructor(deps: ProberDeps) {
    this.#deps = {
      name: randomBytes(16).toString("hex"),
      heard: () => undefined,
      addressesOf: systemAddressesOf,
      call,
      ...deps,
    };
  }

  start(): void {
    void this.#lookUp().then(() => this.#callAll());
    this.#next();
  }

  stop(): void {
    this.#over.abort();
  }

  /** One more call, of this address alone. */
  ask(at: Endpoint): Promise<string | undefined> {
    return this.#deps.call(at, this.#deps.name, this.#over.signal);
  }

  #next(): void {
    this.#deps.clock.after(EVERY_MS, () => {
      if (this.#over.signal.aborted) return;
      // Neither waits for the other, nor the next round for them: a name server may be slow, and a canary dead.
      if (++this.#round % ROUNDS_PER_LOOKUP === 0) void this.#lookUp();
      void this.#callAll();
      this.#next();
    });
  }

  async #lookUp(): Promise<void> {
    const { places, addressesOf } = this.#deps;
    await Promise.all(
      places.map(async (place) => {
        const found = await addressesOf(place.host).catch(() => undefined);
        if (found) this.#found.set(place, found);
      }),
    );
  }

  async #callAll(): Promise<void> {
    const all = [...this.#found].flatMap(([{ port }, found]) => found.map((address) => ({ address, port })));
    await Promise.all(all.map((at) => this.#callOnce(at)));
  }

  async #callOnce(at: Endpoint): Promise<void> {
    const key = keyOf(at);
    if (this.#underWay.has(key) || this.#over.signal.aborted) return;
    this.#underWay.add(key);
    this.#deps.heard(at, await this.ask(at));
    this.#underWay.delete(key);
  }
}

/** What the canary there says, once it is told this name; undefined where nothing is said in time. */
function call({ address, port }: Endpoint, name: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const socket = connect({ host: address, port, signal });
    const end = (text: string | undefined): void => {
      clearTimeout(over);
      socket.destroy();
      resolve(text);
    };
    const over = setTimeout(() => end(undefined), CALL_MS);
    socket
      .on("error", () => end(undefined))
      .on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MOST_BYTES) end(undefined);
      })
      .on("end", () => end(Buffer.concat(chunks).toString()))
      .end(name);
  });
}

const systemAddressesOf = async (host: string): Promise<readonly string[]> =>
  isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host];
