import type { ScanRequest } from "@glovebox/contract";
import type { EgressPolicy, Lookup } from "@glovebox/egress";
import type { ScanRow, Store } from "@glovebox/store";
import type { Logger } from "pino";
import type { Metric } from "prom-client";
import type { ServerTimeouts } from "./http/server.ts";
import type { ApiMetrics } from "./observability.ts";
import type { ScanHub } from "./scans/scan-watch.ts";
import type { TargetGuard } from "./scans/target-guard.ts";

/** Starts and stops the work on a scan. On one machine that wakes a worker; on Kubernetes it writes a resource. */
export interface ScanLauncher {
  /**
   * Whose scans these are, where several may share the database: to be written with the row. Rejects with the ApiError
   * `unavailable` while that is not known.
   */
  installation?(): Promise<string>;
  /** Called when the row is written, with the name of the account. Launching twice is launching once. */
  launch(scan: Pick<ScanRow, "id" | keyof ScanRequest>, account: string): Promise<void>;
  /** The scan has ended. Cancelling what was not launched, or has been cancelled, changes nothing. */
  cancel(scanId: string): Promise<void>;
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
  /** What /metrics shows beside the API's own. */
  readonly metrics?: readonly Metric[] | undefined;
}

/** What the handlers of routes work with. */
export interface Services extends Pick<ApiDeps, "store" | "launcher" | "logger" | "now"> {
  readonly settings: ApiSettings;
  readonly targetGuard: TargetGuard;
  readonly hub: ScanHub;
  readonly metrics: ApiMetrics;
  /** Started, and not shutting down. */
  readonly isRunning: () => boolean;
}

export interface ApiSettings extends ServerTimeouts {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** How long POST /v1/scan is held when the client prefers nothing, in seconds. */
  readonly waitSeconds: number;
  /** Express "trust proxy": how many proxies, or which addresses, may name the client in X-Forwarded-For. */
  readonly trustProxy: number | string | false;
  /** Requests a minute without a valid key, per client address. */
  readonly addressRequestsPerMinute: number;
  /** Held requests and event streams at a time; beyond them a POST is answered at once, and a stream is refused. */
  readonly maxWaiters: { readonly total: number; readonly perAccount: number };
  /** Host names that are resolved at a time; beyond that a POST is refused. */
  readonly maxLookups: { readonly perAccount: number; readonly total: number };
  /** Log every request, or only those that were refused or failed. */
  readonly logEveryRequest: boolean;
  readonly heartbeatSeconds: number;
  /** How long close() waits for open requests, in milliseconds. */
  readonly shutdownMs: number;
}

export const DEFAULT_API_SETTINGS: ApiSettings = {
  host: "127.0.0.1",
  port: 8080,
  waitSeconds: 25,
  trustProxy: false,
  addressRequestsPerMinute: 60,
  maxWaiters: { total: 10_000, perAccount: 1_000 },
  maxLookups: { perAccount: 20, total: 1_000 },
  logEveryRequest: true,
  heartbeatSeconds: 15,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  shutdownMs: 10_000,
};
