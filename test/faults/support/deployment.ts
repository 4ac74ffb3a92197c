import { setTimeout as delay } from "node:timers/promises";
import type { RunningProcess } from "../../cluster/support/process.ts";
import { until } from "../../cluster/support/until.ts";

/** What a deployment needs of a program. */
type Replica = Pick<RunningProcess, "ended" | "stop" | "kill">;

/** Replicas of a program. Each is restarted when it exits, like the pods of a Deployment. */
export interface Deployment<P extends Replica> {
  running(): readonly P[];
  /** Sends SIGKILL to a replica. Resolves when all replicas run again. */
  kill(victim: P): Promise<void>;
  /** Exit codes of replicas that exited without a signal from `kill`. */
  readonly unexpectedExits: readonly (number | null)[];
  close(): Promise<void>;
}

const PAUSE_MS = 500;

export async function deploy<P extends Replica>(
  replicas: number,
  start: () => Promise<P>,
): Promise<Deployment<P>> {
  const running = new Set<P>();
  const killed = new Set<P>();
  const unexpectedExits: (number | null)[] = [];
  let isClosing = false;

  const supervise = async (): Promise<void> => {
    while (!isClosing) {
      // It cannot start during an outage of a component that it needs.
      const started = await start().catch(() => undefined);
      if (!started) {
        await delay(PAUSE_MS);
        continue;
      }
      if (isClosing) return void (await started.stop());
      running.add(started);
      const code = await started.ended;
      running.delete(started);
      if (!isClosing && !killed.has(started)) unexpectedExits.push(code);
    }
  };
  const supervised = Array.from({ length: replicas }, supervise);
  const untilAllRun = async (): Promise<void> =>
    void (await until("all replicas to run", async () => running.size === replicas));
  await untilAllRun();
  return {
    running: () => [...running],
    unexpectedExits,
    async kill(victim) {
      killed.add(victim);
      await victim.kill();
      await untilAllRun();
    },
    async close() {
      isClosing = true;
      await Promise.all([...running].map((one) => one.stop()));
      await Promise.all(supervised);
    },
  };
}
