import { setTimeout as delay } from "node:timers/promises";
import type { RunningProcess } from "../../cluster/support/process.ts";
import { until } from "../../cluster/support/until.ts";

/** Replicas of a program, each of which is started again whenever it ends, as a Deployment does with its pods. */
export interface Deployment<P extends RunningProcess> {
  running(): readonly P[];
  /** SIGKILL to that one; resolves when all replicas run again. */
  kill(victim: P): Promise<void>;
  /** Resolves when all replicas run. */
  whole(): Promise<void>;
  /** Exit codes of those that ended by themselves. */
  readonly endedByItself: readonly (number | null)[];
  close(): Promise<void>;
}

const PAUSE_MS = 500;

export async function deploy<P extends RunningProcess>(
  replicas: number,
  start: () => Promise<P>,
): Promise<Deployment<P>> {
  const running = new Set<P>();
  const killed = new Set<P>();
  const endedByItself: (number | null)[] = [];
  let isClosing = false;

  const keep = async (): Promise<void> => {
    while (!isClosing) {
      // What it needs may be away just now: it is started again until it is there.
      const started = await start().catch(() => undefined);
      if (!started) {
        await delay(PAUSE_MS);
        continue;
      }
      if (isClosing) return void (await started.stop());
      running.add(started);
      const code = await started.ended;
      running.delete(started);
      if (!isClosing && !killed.has(started)) endedByItself.push(code);
    }
  };
  const kept = Array.from({ length: replicas }, keep);
  const whole = async (): Promise<void> =>
    void (await until("all replicas run", async () => running.size === replicas));
  await whole();
  return {
    running: () => [...running],
    endedByItself,
    whole,
    async kill(victim) {
      killed.add(victim);
      await victim.kill();
      await whole();
    },
    async close() {
      isClosing = true;
      await Promise.all([...running].map((one) => one.stop()));
      await Promise.all(kept);
    },
  };
}
