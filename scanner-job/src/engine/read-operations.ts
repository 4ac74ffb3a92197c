import type { Operation } from "../inventory/operation.ts";
import type { Calibration } from "../oracles/not-found.ts";
import { NetworkError } from "../transport/network-error.ts";
import type { RecordedProbe } from "./probe.ts";
import { farthest, reachOf, type Reach } from "./reach.ts";
import type { Supervisor } from "./supervisor.ts";

/**
 * Sends each read once as it is ordinarily sent, and once with all optional parameters, before any is attacked: which
 * operations answer, and which refuse.
 */
export async function readOperations(
  operations: readonly Operation[],
  deps: {
    supervisor: Supervisor;
    calibration: Calibration;
    newProbe: (operation: Operation) => RecordedProbe;
  },
): Promise<ReadonlyMap<Operation, Reach>> {
  const reaches = new Map<Operation, Reach>(operations.map((operation) => [operation, "failed"]));
  const pending = [...operations];
  await deps.supervisor.run<Operation, Read>({
    take: () => pending.shift(),
    async do(operation) {
      const { probe, unanswered } = deps.newProbe(operation);
      try {
        const reaches: Reach[] = [];
        for (const request of await probe.readsOf(operation)) {
          const reply = await probe.baseline(request);
          reaches.push(reachOf(reply, operation, deps.calibration));
          if (reply.status === 429) break; // the others would wait
        }
        return { reach: farthest(reaches), isSpoilt: false };
      } catch (error) {
        if (error instanceof NetworkError) return { reach: "failed", isSpoilt: unanswered.length > 0 };
        throw error;
      }
    },
    settled: (done) => {
      for (const { item, result } of done) reaches.set(item, result.reach);
    },
    isSpoilt: ({ isSpoilt }) => isSpoilt,
  });
  return reaches;
}

interface Read {
  readonly reach: Reach;
  /** A request had no response. */
  readonly isSpoilt: boolean;
}
