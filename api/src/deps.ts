import type { Condition } from "@glovebox/k8s";
import type { EgressPolicy, Lookup } from "@glovebox/egress";
import { readSettings, type SettingsOf } from "@glovebox/settings";
import type { LaunchableScan, ScanRow, Store } from "@glovebox/store";
import type { Logger } from "pino";
import type { Metric } from "prom-client";
import type { ServerTimeouts } from "./http/server.ts";
import { API_SETTINGS } from "./settings/api-settings.ts";
import type { ApiMetrics } from "./observability.ts";
import type { ScanHub } from "./scans/scan-watch.ts";
import type { ReportRunner } from "./reports/report-workers.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import type { TargetGuard } from "./scans/target-guard.ts";

/** Starts and cancels scans: in standalone mode it wakes a worker, on Kubernetes it creates and deletes Scan resources. */
export interface ScanLauncher {
  /**
   * Id of the installation, written with the row, because several may share a database. Rejects with the ApiError `unavailable`
   * while it is not known.
   */
  installation?(): Promise<string>;
  /** Called when the row is written, with the name of the account. Launching twice is launching once. */
  launch(scan: LaunchableScan, account: string): Promise<void>;
  /** Called when the scan has been cancelled. It may not have been launched, or may have been cancelled before. */
  cancel(scanId: string): Promise<void>;
  /** What the cluster says of a scan: why it waits, and whether its isolation is proven. Empty when it is not known there. */
  conditions?(scan: Pick<ScanRow, "id" | "resourceUid">): Promise<readonly Condition[]>;
  /** Whether the API server of the cluster responds; absent where there is no cluster. */
  isReachable?(): Promise<boolean>;
}

export interface ApiDeps {
  readonly store: Store;
  readonly launcher: ScanLauncher;
  readonly egress: { readonly policy: EgressPolicy; readonly lookup: Lookup };
  readonly logger: Logger;
  readonly now: () => Date;
  /** Where rate limits are counted; without it, in the memory of this process. */
  readonly redisUrl?: string | undefined;
  readonly settings?: Partial<ApiSettings> | undefined;
  /** Additional metrics for /metrics. */
  readonly metrics?: readonly Metric[] | undefined;
}

/** The dependencies of route handlers. */
export interface Services extends Pick<ApiDeps, "store" | "launcher" | "logger" | "now"> {
  readonly settings: ApiSettings;
  readonly targetGuard: TargetGuard;
  readonly hub: ScanHub;
  readonly metrics: ApiMetrics;
  /** Started, and not shutting down. */
  readonly isRunning: () => boolean;
  /** Aborted when the service shuts down, which ends streams. */
  readonly closing: AbortSignal;
  readonly signIn: SignIn;
  /** Runs everything that parses reports, outside this thread. */
  readonly reports: ReportRunner;
  /** Where browsers reach the service, for links, redirects and the check of Origin; undefined: not known. */
  readonly publicUrl: () => URL | undefined;
}

/** What operators set, and limits that no setting changes. */
export interface ApiSettings extends ServerTimeouts, SettingsOf<typeof API_SETTINGS> {
  /** The port of /metrics; undefined: the port of everything else. */
  readonly metricsPort: number | undefined;
  /** Requests a minute without a valid key, per client address. */
  readonly addressRequestsPerMinute: number;
  /** Limit of waiting requests and event streams; above it a POST gets its response immediately, and a stream is refused. */
  readonly maxWaiters: { readonly total: number; readonly perAccount: number };
  /** Limit of concurrent DNS lookups; above it a POST is refused. */
  readonly maxLookups: { readonly perAccount: number; readonly total: number };
  /** Log every request, or only those that were refused or failed. */
  readonly logEveryRequest: boolean;
  readonly heartbeatSeconds: number;
  /** How long close() waits for open requests, in milliseconds. */
  readonly shutdownMs: number;
}

export const DEFAULT_API_SETTINGS: ApiSettings = {
  ...readSettings(API_SETTINGS, {}).settings,
  metricsPort: undefined,
  addressRequestsPerMinute: 60,
  maxWaiters: { total: 10_000, perAccount: 1_000 },
  maxLookups: { perAccount: 20, total: 1_000 },
  logEveryRequest: true,
  heartbeatSeconds: 15,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  shutdownMs: 10_000,
};
