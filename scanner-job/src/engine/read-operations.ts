import type { Operation } from "../inventory/operation.ts";
import { NetworkError } from "../transport/network-error.ts";
import type { TargetProfile } from "./check.ts";
import type { RecordedProbe } from "./probe.ts";
import { reachOf, type Reach } from "./reach.ts";
import type { Supervisor } from "./supervisor.ts";

/** Sends every read once, as it is ordinarily sent, before any is attacked: which operations answer, and which refuse. */
export async function readOperations(
  { operations, calibration }: Pick<TargetProfile, "operations" | "calibration">,
  { supervisor, newProbe }: { supervisor: Supervisor; newProbe: () => RecordedProbe },
): Promise<Map<Operation, Reach>> {
  const reads = operations.filter(({ isRead }) => isRead);
  const reaches = await supervisor.run<Operation, Reach>(reads, {
    async do(operation) {
      const { probe } = newProbe();
      try {
        return reachOf(await probe.baseline(await probe.withRealIds(operation)), operation, calibration);
      } catch (error) {
        if (error instanceof NetworkError) return "failed";
        throw error;
      }
    },
    lost: () => "failed",
  });
  return new Map(reads.map((operation, index) => [operation, reaches[index]!]));
}
