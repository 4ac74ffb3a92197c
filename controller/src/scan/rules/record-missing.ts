import { scanFailure } from "@glovebox/contract";
import type { ScanResource } from "@glovebox/k8s";
import { failedEnding } from "../ending-status.ts";
import { patchOf, type ConditionUpdate } from "../status.ts";
import { finish, wasOnRecord } from "./finished.ts";
import { requeueIn, secondsSince, type Rule } from "./rule.ts";

/** Clocks differ, and an installation is noted a moment after it begins. In seconds. */
export const NEW_SCAN_SECONDS = 60;
/** How long a database may be the wrong one. In seconds. */
export const RECORD_PATIENCE_SECONDS = 600;

/**
 * It was accepted before this database knew the installation: the record is in another database, because this one took
 * its place or was emptied. Nothing is stopped for a while, in which the right one may come back (docs/adr/0014).
 */
export const recordMissing: Rule = (world) => {
  const { row, scan, now } = world;
  if (row.state !== "absent" || row.knownSeconds === undefined || !wasOnRecord(world)) return undefined;
  if (ageSecondsOf(scan, now) <= row.knownSeconds + NEW_SCAN_SECONDS) return undefined;
  const rule = "recordMissing";
  const left = RECORD_PATIENCE_SECONDS - row.knownSeconds;
  if (left > 0) return { rule, actions: patchOf(world, {}, [WAITING]), ...requeueIn(left) };
  return { rule, actions: finish(world, failedEnding(scanFailure("cancelled", GONE))) };
};

export const ageSecondsOf = ({ metadata }: ScanResource, now: Date): number =>
  secondsSince(new Date(metadata.creationTimestamp), now);

const GONE = "The database in which it was accepted was replaced or emptied.";
const WAITING: ConditionUpdate = {
  type: "ReportRecorded",
  status: "Unknown",
  reason: "RecordMissing",
  message:
    "The database has no row of this scan: it was replaced or emptied after the scan was accepted. The scan fails unless the row is back within ten minutes.",
};
