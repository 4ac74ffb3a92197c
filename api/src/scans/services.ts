import type { Store } from "@glovebox/store";
import type { Logger } from "pino";
import type { ApiSettings, ScanLauncher } from "../deps.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { LookUps } from "./look-ups.ts";
import type { ScanHub } from "./scan-hub.ts";
import type { TargetGuard } from "./target-guard.ts";

/** What the handlers of scans work with. */
export interface ScanServices {
  readonly store: Store;
  readonly launcher: ScanLauncher;
  readonly guard: TargetGuard;
  readonly lookUps: LookUps;
  readonly hub: ScanHub;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly settings: ApiSettings;
  readonly now: () => Date;
}
