import { setTimeout as sleep } from "node:timers/promises";
import { type AddressFamily, type Endpoint, familyOf } from "@glovebox/contract";
import type { Clock } from "@glovebox/kube";
import type { CanaryNote } from "./note.ts";
import type { Place } from "./places.ts";
import { keyOf, Prober, type ProberDeps } from "./prober.ts";
import { SharedCalls } from "./shared-calls.ts";
import { type CanaryWord, parseWord } from "./word.ts";

/** Whether a canary has lived from before an attempt until now; `detail` is a sentence. */
export type Attestation = { readonly lives: true } | { readonly lives: false; readonly detail: string };

export interface CanariesDeps {
  readonly places: readonly Place[];
  readonly clock: Pick<Clock, "after" | "monotonic">;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  readonly call?: NonNullable<ProberDeps["call"]>;
}

/** What was said longer ago is no sign of life; calls are a second apart. */
const FRESH_MS = 2_500;
/** Before a canary that is silent is called again: one packet may be lost. */
const PAUSES_MS = [500, 1_000];

interface Heard {
  readonly at: Endpoint;
  readonly word: CanaryWord;
  readonly time: number;
}

/**
 * The canaries that this process, which no policy of a scan seals, can reach. What proves that a canary lived through a
 * time is its own word: which process it is, and since when other pods have reached it without a gap. So it can be
 * proven by a controller that was not there itself (docs/adr/0010).
 */
export class Canaries {
  readonly #heard = new Map<string, Heard>();
  readonly #prober: Prober;
  readonly #asking = new SharedCalls<string | undefined>();
  readonly #deps: CanariesDeps;
  #turn = 0;

  constructor(deps: CanariesDeps) {
    this.#deps = deps;
    this.#prober = new Prober({ ...deps, heard: (at, text) => this.#note(at, parseWord(text)) });
  }

  start(): void {
    this.#prober.start();
  }

  stop(): void {
    this.#prober.stop();
  }

  /** How many could be chosen now. */
  get count(): number {
    return this.#living().length;
  }

  /** One that was reached a moment ago, by this process and by others, in each family that its pod has; in turn. */
  choose(): CanaryNote | undefined {
    const living = this.#living();
    return living[this.#turn++ % living.length];
  }

  /** Calls it now, and again where it is silent. Questions at the same time share calls that begin after them. */
  async attest(note: CanaryNote): Promise<Attestation> {
    const { wait = sleep } = this.#deps;
    for (const pause of [...PAUSES_MS, undefined]) {
      const words = await Promise.all(note.endpoints.map((at) => this.#ask(at)));
      if (words.every((word) => word !== undefined)) return attestationOf(note, words);
      if (pause !== undefined) await wait(pause);
    }
    return { lives: false, detail: "It does not answer any more." };
  }

  async #ask(at: Endpoint): Promise<CanaryWord | undefined> {
    return parseWord(await this.#asking.share(keyOf(at), () => this.#prober.ask(at)));
  }

  #note(at: Endpoint, word: CanaryWord | undefined): void {
    const time = this.#deps.clock.monotonic();
    if (word) this.#heard.set(keyOf(at), { at, word, time });
    for (const [key, heard] of this.#heard) if (time - heard.time > FRESH_MS) this.#heard.delete(key);
  }

  #living(): CanaryNote[] {
    const now = this.#deps.clock.monotonic();
    const fresh = [...this.#heard.values()].filter(({ time }) => now - time <= FRESH_MS);
    const instances = Map.groupBy(fresh, ({ word }) => word.instance);
    return [...instances.values()].map(noteOf).filter((note) => note !== undefined);
  }
}

/** Undefined while it was not reached in one of its families. */
function noteOf(heard: readonly Heard[]): CanaryNote | undefined {
  const [{ word }] = heard as [Heard];
  const families = [...new Set(word.addresses.map(familyOf))];
  const endpoints = families.map((family) => heard.find((one) => isReached(one, family))?.at);
  if (!endpoints.every((at) => at !== undefined)) return undefined;
  return { instance: word.instance, ageMs: Math.max(...heard.map((one) => one.word.ageMs)), endpoints };
}

const isReached = ({ at, word }: Heard, family: AddressFamily): boolean =>
  familyOf(at.address) === family && word.reachedSinceMs[family] !== undefined;

function attestationOf(
  { instance, ageMs, endpoints }: CanaryNote,
  words: readonly CanaryWord[],
): Attestation {
  if (words.some((word) => word.instance !== instance))
    return { lives: false, detail: "It ended, and another process is in its place." };
  const isWhole = endpoints.every(({ address }, index) => {
    const since = words[index]!.reachedSinceMs[familyOf(address)];
    return since !== undefined && since <= ageMs;
  });
  return isWhole ? { lives: true } : { lives: false, detail: "For a while no other pod reached it." };
}
