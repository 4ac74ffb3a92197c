import type { Operation } from "../inventory/operation.ts";
import type { Calibration } from "../oracles/not-found.ts";
import { NetworkError } from "../transport/network-error.ts";
import type { RecordedProbe } from "./probe.ts";
import { reachOf, type Reach } from "./reach.ts";
import type { Supervisor } from "./supervisor.ts";

/** Sends each read once, as it is ordinarily sent, before any is attacked: which operations answer, and which refuse. */
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
  await deps.supervisor.run<Operation, Reach>({
    take: () => pending.shift(),
    async do(operation) {
      const { probe } = deps.newProbe(operation);
      try {
        const reply = await probe.baseline(await probe.withRealIds(operation));
        return reachOf(reply, operation, deps.calibration);
      } catch (error) {
        if (error instanceof NetworkError) return "failed";
        throw error;
      }
    },
    settled: (done) => {
      for (const { item, result } of done) reaches.set(item, result);
    },
  });
  return reaches;
}
