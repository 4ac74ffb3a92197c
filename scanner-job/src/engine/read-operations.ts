import type { Operation } from "../inventory/operation.ts";
import { isPeripheral } from "../inventory/peripheral.ts";
import type { Calibration } from "../oracles/not-found.ts";
import type { Reply } from "../transport/exchange.ts";
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
): Promise<ReadonlyMap<Operation, Read>> {
  const reads = new Map(operations.map((operation) => [operation, FAILED]));
  const pending = [...operations];
  await deps.supervisor.run<Operation, Read & { readonly isSpoilt: boolean }>({
    take: () => pending.shift(),
    async do(operation) {
      const { probe, unanswered } = deps.newProbe(operation);
      try {
        const replies: Reply[] = [];
        for (const request of await probe.readsOf(operation)) {
          const reply = await probe.baseline(request);
          replies.push(reply);
          if (reply.status === 429) break; // the others would wait
        }
        return { ...readOf(operation, replies, deps.calibration), isSpoilt: false };
      } catch (error) {
        if (error instanceof NetworkError) return { ...FAILED, isSpoilt: unanswered.length > 0 };
        throw error;
      }
    },
    settled: (done) => {
      for (const { item, result } of done) reads.set(item, result);
    },
    isSpoilt: ({ isSpoilt }) => isSpoilt,
  });
  return reads;
}

/** What the plain read of an operation showed. */
export interface Read {
  readonly reach: Reach;
  /** It is no operation of the API: a document, a health endpoint or a static file. */
  readonly isPeripheral: boolean;
  /** It is answered like a path that does not exist. Unknown, and false, where an id may be what does not exist. */
  readonly isAbsent: boolean;
}

const FAILED: Read = { reach: "failed", isPeripheral: false, isAbsent: false };

function readOf(operation: Operation, replies: readonly Reply[], calibration: Calibration): Read {
  const isFixed = !operation.facts.parameters.some(({ in: place }) => place === "path");
  return {
    reach: farthest(replies.map((reply) => reachOf(reply, operation, calibration))),
    isPeripheral: replies.length > 0 && replies.every((reply) => isPeripheral(operation.facts, reply)),
    isAbsent: isFixed && replies.length > 0 && replies.every((reply) => calibration.looksMissing(reply)),
  };
}
