import type { ScanContext } from "@glovebox/contract";
import type { ApiDocument } from "../inventory/api-document.ts";
import type { Operation } from "../inventory/operation.ts";
import type { Reply } from "../transport/exchange.ts";
import type { Subject } from "./check.ts";
import type { Calibration } from "./calibrate.ts";

/** What is known of the target before the checks begin. */
export interface TargetProfile {
  /** The submitted address. */
  readonly target: URL;
  /** What the target answered to a GET of it. */
  readonly entry: Reply;
  /** The target as a whole, for checks that look at no single operation. */
  readonly host: Subject;
  readonly operations: readonly Operation[];
  readonly document: ApiDocument | undefined;
  readonly calibration: Calibration;
  readonly context: ScanContext | undefined;
}
