import { ANONYMOUS } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { isPeripheral } from "../inventory/peripheral.ts";
import type { Calibration } from "../oracles/not-found.ts";
import { isSafe, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import type { RecordedProbe } from "./probe.ts";
import { farthest, reachOf, type Reach } from "./reach.ts";
import type { Supervisor } from "./supervisor.ts";

/**
 * Sends each read once as it is normally sent, and once with all optional parameters, before any is attacked: which
 * operations respond, and which refuse.
 */
export async function readOperations(
  operations: readonly Operation[],
  deps: {
    supervisor: Supervisor;
    calibration: Calibration;
    baselineCaller: string;
    newProbe: (operation: Operation) => RecordedProbe;
  },
): Promise<ReadonlyMap<Operation, Read>> {
  const reads = new Map(operations.map((operation) => [operation, FAILED]));
  const pending = [...operations];
  await deps.supervisor.run<Operation, Read & { readonly isInvalidated: boolean }>({
    take: () => pending.shift(),
    async do(operation) {
      const { probe, lostRequests } = deps.newProbe(operation);
      try {
        const responses: ProbeResponse[] = [];
        const requests = await probe.readsOf(operation);
        for (const request of requests) {
          const response = await probe.baseline(request);
          responses.push(response);
          if (response.status === 429) break; // the others would wait
        }
        const anonymous = await anonymousReach(operation, requests[0], { ...deps, probe });
        return { ...readOf(operation, responses, deps.calibration), ...anonymous, isInvalidated: false };
      } catch (error) {
        if (error instanceof NetworkError) return { ...FAILED, isInvalidated: lostRequests.length > 0 };
        throw error;
      }
    },
    settled: (done) => {
      for (const { item, result } of done) reads.set(item, result);
    },
    isInvalidated: ({ isInvalidated }) => isInvalidated,
  });
  return reads;
}

/** The read is sent once more without credentials, where it has some and its method is safe. */
async function anonymousReach(
  operation: Operation,
  request: ProbeRequest | undefined,
  {
    baselineCaller,
    calibration,
    probe,
  }: { baselineCaller: string; calibration: Calibration } & Pick<RecordedProbe, "probe">,
): Promise<Pick<Read, "anonymous">> {
  if (baselineCaller === ANONYMOUS) return {};
  if (request === undefined || !isSafe(request)) return { anonymous: "untried" };
  const response = await probe.baseline({ ...request, as: ANONYMOUS });
  return { anonymous: reachOf(response, operation, calibration) };
}

/** What the plain read of an operation showed. */
export interface Read {
  readonly reach: Reach;
  /** That of the request without credentials, where `reach` is that of an identity. */
  readonly anonymous?: Reach;
  /** It is not an operation of the API: a document, a health endpoint or a static file. */
  readonly isPeripheral: boolean;
  /** It gets the response of a path that does not exist. Unknown, and false, where an id may be what does not exist. */
  readonly isAbsent: boolean;
}

/** How far a request without credentials got. */
export const anonymousReachOf = ({ anonymous, reach }: Read): Reach => anonymous ?? reach;

const FAILED: Read = { reach: "failed", isPeripheral: false, isAbsent: false };

function readOf(operation: Operation, responses: readonly ProbeResponse[], calibration: Calibration): Read {
  const isFixed = !operation.facts.parameters.some(({ in: location }) => location === "path");
  return {
    reach: farthest(responses.map((response) => reachOf(response, operation, calibration))),
    isPeripheral:
      responses.length > 0 && responses.every((response) => isPeripheral(operation.facts, response)),
    isAbsent:
      isFixed && responses.length > 0 && responses.every((response) => calibration.looksMissing(response)),
  };
}
