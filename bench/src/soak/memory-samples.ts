import { processMemory } from "../../../test/support/process-memory.ts";
import { treeMemory } from "../../../test/support/process-tree.ts";
import type { MemorySample, Series } from "./memory.ts";
import type { SoakSystem } from "./system.ts";

const EVERY_MS = 5_000;

/** Samples the memory of all processes until it is disposed of. A process that was restarted is another series. */
export class MemorySampler implements Disposable {
  readonly #system: SoakSystem;
  readonly #series = new Map<string, MemorySample[]>();
  readonly #timer: NodeJS.Timeout;

  constructor(system: SoakSystem) {
    this.#system = system;
    this.#timer = setInterval(() => this.#sample(), EVERY_MS);
  }

  get series(): Series[] {
    return [...this.#series].map(([process, samples]) => ({ process, samples }));
  }

  #sample(): void {
    const { services, redis, postgres } = this.#system;
    services.forEach((service, n) => {
      for (const { command } of service.running())
        this.#add(`service ${n} (process ${command.pid})`, processMemory(command.pid)?.current);
    });
    this.#add(`Redis (process ${redis.pid})`, processMemory(redis.pid)?.current);
    const { pid } = postgres;
    if (pid !== undefined) this.#add(`PostgreSQL with its connections (process ${pid})`, treeMemory(pid));
  }

  #add(process: string, mib: number | undefined): void {
    if (mib === undefined) return;
    const samples = this.#series.get(process) ?? [];
    this.#series.set(process, [...samples, { at: Date.now(), mib }]);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
