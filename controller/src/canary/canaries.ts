import { setTimeout as sleep } from "node:timers/promises";
import { type AddressFamily, type Endpoint, familyOf } from "@glovebox/contract";
import type { Clock } from "@glovebox/kube";
import { canaryEndpointKey, Prober, type ProberDeps } from "./prober.ts";
import { type CanaryReference, parseProbeResult, type ProbeResult } from "./protocol.ts";
import type { HostPort } from "./settings.ts";

/** Whether a canary was alive from before an attempt until now; `detail` is a sentence. */
export type Attestation = { readonly alive: true } | { readonly alive: false; readonly detail: string };

export interface CanariesDeps {
  readonly targets: readonly HostPort[];
  readonly clock: Pick<Clock, "after" | "monotonic">;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
  readonly probe?: NonNullable<ProberDeps["probe"]>;
}

/** Maximum age of a probe result; the interval is one second. */
const FRESH_MS = 2_500;
/** Pauses before retries, because a packet may be lost. */
const RETRY_PAUSES_MS = [500, 1_000];

interface Probed {
  readonly endpoint: Endpoint;
  readonly result: ProbeResult;
  readonly time: number;
}

/**
 * The canaries that this process can reach; no policy of a scan applies to it. A canary reports its instance id, and since when
 * other pods have reached it without a gap. So a controller can verify that it was alive, even for a time when the controller was
 * not running (docs/adr/0010).
 */
export class Canaries {
  readonly #probed = new Map<string, Probed>();
  readonly #prober: Prober;
  readonly #probes = new SingleFlight<string | undefined>();
  readonly #deps: CanariesDeps;
  #chosen = 0;

  constructor(deps: CanariesDeps) {
    this.#deps = deps;
    this.#prober = new Prober({ ...deps, onResult: (at, text) => this.#keep(at, parseProbeResult(text)) });
  }

  start(): void {
    this.#prober.start();
  }

  stop(): void {
    this.#prober.stop();
  }

  /** Number of reachable canaries. */
  get count(): number {
    return this.#reachable().length;
  }

  /** A canary that this process and other pods have just reached in each of its address families; round robin. */
  choose(): CanaryReference | undefined {
    const reachable = this.#reachable();
    return reachable[this.#chosen++ % reachable.length];
  }

  /** Probes the canary, with retries. Concurrent calls share probes that begin after the call. */
  async attest(canary: CanaryReference): Promise<Attestation> {
    const { wait = sleep } = this.#deps;
    for (const pause of [...RETRY_PAUSES_MS, undefined]) {
      const results = await Promise.all(canary.endpoints.map((at) => this.#probe(at)));
      if (results.every((result) => result !== undefined)) return attestationOf(canary, results);
      if (pause !== undefined) await wait(pause);
    }
    return { alive: false, detail: "The canary no longer responds." };
  }

  async #probe(at: Endpoint): Promise<ProbeResult | undefined> {
    return parseProbeResult(await this.#probes.run(canaryEndpointKey(at), () => this.#prober.probe(at)));
  }

  #keep(endpoint: Endpoint, result: ProbeResult | undefined): void {
    const time = this.#deps.clock.monotonic();
    if (result) this.#probed.set(canaryEndpointKey(endpoint), { endpoint, result, time });
    for (const [key, probed] of this.#probed) if (time - probed.time > FRESH_MS) this.#probed.delete(key);
  }

  #reachable(): CanaryReference[] {
    const now = this.#deps.clock.monotonic();
    const fresh = [...this.#probed.values()].filter(({ time }) => now - time <= FRESH_MS);
    const instances = Map.groupBy(fresh, ({ result }) => result.instance);
    return [...instances.values()].map(referenceTo).filter((reference) => reference !== undefined);
  }
}

/** Undefined while the canary was not reached in one of its address families. */
function referenceTo(probed: readonly Probed[]): CanaryReference | undefined {
  const { instance, addresses } = probed[0]!.result;
  const families = [...new Set(addresses.map(familyOf))];
  const endpoints = families.map((family) => probed.find((one) => isReached(one, family))?.endpoint);
  if (!endpoints.every((endpoint) => endpoint !== undefined)) return undefined;
  return { instance, ageMs: Math.max(...probed.map(({ result }) => result.ageMs)), endpoints };
}

const isReached = ({ endpoint, result }: Probed, family: AddressFamily): boolean =>
  familyOf(endpoint.address) === family && result.reachedSinceMs[family] !== undefined;

function attestationOf(
  { instance, ageMs, endpoints }: CanaryReference,
  results: readonly ProbeResult[],
): Attestation {
  if (results.some((result) => result.instance !== instance))
    return { alive: false, detail: "The canary was restarted." };
  const isWhole = endpoints.every(({ address }, index) => {
    const since = results[index]!.reachedSinceMs[familyOf(address)];
    return since !== undefined && since <= ageMs;
  });
  return isWhole
    ? { alive: true }
    : { alive: false, detail: "The canary was temporarily unreachable for other pods." };
}

/** One call at a time for each key. A caller during a call gets the result of the next one, which begins later. */
class SingleFlight<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #next = new Map<string, Promise<T>>();

  run(key: string, call: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (!running) return this.#start(key, call);
    const next = this.#next.get(key) ?? this.#after(running, key, call);
    this.#next.set(key, next);
    return next;
  }

  async #after(running: Promise<T>, key: string, call: () => Promise<T>): Promise<T> {
    await running.catch(() => undefined);
    this.#next.delete(key);
    return this.#running.get(key) ?? this.#start(key, call);
  }

  #start(key: string, call: () => Promise<T>): Promise<T> {
    const running = call().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}
