import { ANONYMOUS, type CallerAccess } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import { commonPart } from "../oracles/common-part.ts";
import { holdsData } from "../oracles/records.ts";
import type { Calibration } from "../oracles/not-found.ts";
import { isSafe, type ProbeResponse } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import { ACCESS_OF } from "./access-grid.ts";
import type { TargetProfile } from "./check.ts";
import type { RecordedProbe } from "./probe.ts";
import { reachOf } from "./reach.ts";
import type { Supervisor } from "./supervisor.ts";

/** What each caller gets from an operation, by its name. */
export type AccessByCaller = ReadonlyMap<string, CallerAccess>;

interface Deps {
  readonly profile: TargetProfile;
  readonly supervisor: Supervisor;
  readonly newProbe: (operation: Operation) => RecordedProbe;
  /** Whether another operation may be read. */
  readonly hasBudget: () => boolean;
  readonly onRead: (operation: Operation, access: AccessByCaller) => void;
}

/**
 * Sends the plain read of each operation as every caller: as the baseline identity first, whose response most often is there
 * already, and in the order of the operations until the budget is exhausted.
 */
export async function readAsCallers(operations: readonly Operation[], deps: Deps): Promise<void> {
  const pending = [...operations];
  await deps.supervisor.run<Operation, AccessByCaller | undefined>({
    take: () => (deps.hasBudget() ? pending.shift() : undefined),
    do: (operation) => accessTo(operation, deps),
    settled: (done) => {
      for (const { item, result } of done) if (result) deps.onRead(item, result);
    },
    isInvalidated: () => false,
  });
}

/** Undefined where the read may write, or the baseline identity had no response. */
async function accessTo(
  operation: Operation,
  { profile, newProbe }: Deps,
): Promise<AccessByCaller | undefined> {
  const { probe } = newProbe(operation);
  const { baselineCaller, callers, calibration } = profile;
  try {
    const [request] = await probe.readsOf(operation);
    if (!request || !isSafe(request)) return undefined;
    const baseline = await probe.baseline(request);
    const access = new Map([[baselineCaller, accessOf(baseline, baseline, { operation, calibration })]]);
    for (const caller of [...callers.map(({ name }) => name), ANONYMOUS]) {
      if (access.has(caller)) continue;
      const response = await probe.baseline({ ...request, as: caller });
      access.set(caller, accessOf(response, baseline, { operation, calibration }));
    }
    return access;
  } catch (error) {
    if (error instanceof NetworkError) return undefined;
    throw error;
  }
}

/** What a response shows of a caller's access, compared with that of the baseline identity to the same request. Pure. @internal */
export function accessOf(
  response: ProbeResponse,
  baseline: ProbeResponse,
  { operation, calibration }: { operation: Operation; calibration: Calibration },
): CallerAccess {
  const access = ACCESS_OF[reachOf(response, operation, calibration)];
  const isCompared = access === "allowed" && reachOf(baseline, operation, calibration) === "reached";
  return isCompared && !isSameData(baseline, response) ? "different" : access;
}

const isSameData = (baseline: ProbeResponse, response: ProbeResponse): boolean =>
  baseline === response ||
  baseline.body === response.body ||
  (!holdsData(baseline.json) && !holdsData(response.json) && baseline.json !== undefined) ||
  (commonPart(baseline, response) !== undefined && commonPart(response, baseline) !== undefined);
