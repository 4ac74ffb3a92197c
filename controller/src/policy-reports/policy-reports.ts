import type { DeliveredReport } from "@glovebox/scan-run";
import type { ScanResource } from "@glovebox/k8s";
import {
  type Clock,
  isNotFound,
  type KubeTransport,
  type Objects,
  requestJson,
  atMost,
  type ConcurrencyLimit,
} from "@glovebox/kube";
import { policyReport, REPORTS, type PolicyReport } from "./manifest.ts";

export interface PolicyReportsOptions {
  readonly transport: KubeTransport;
  readonly reports: Pick<Objects<PolicyReport>, "apply">;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly onFailure: (scan: ScanResource, error: unknown) => void;
}

const WRITES_AT_ONCE = 2;
/** Reports that wait to be written; more are dropped. */
const MAX_WAITING = 30;
/** How long it is believed that the cluster has, or has not, the resource. */
const KNOWN_MS = 60_000;

/** Writes the results of scans for tools that read Reports, where the cluster has them. No scan waits for it, and it never throws. */
export class PolicyReports {
  readonly #options: PolicyReportsOptions;
  readonly #limit: ConcurrencyLimit = atMost(WRITES_AT_ONCE);
  #waiting = 0;
  #served: { readonly at: number; readonly is: boolean } | undefined;

  constructor(options: PolicyReportsOptions) {
    this.#options = options;
  }

  /** The report of a Scan was recorded. Resolves when the Report is written, or is not going to be. */
  publish(scan: ScanResource, report: DeliveredReport): Promise<void> {
    // Only the manifest waits: the report itself may be large.
    return this.#queue(scan, policyReport(scan, report, this.#options.clock.now()));
  }

  async #queue(scan: ScanResource, manifest: PolicyReport): Promise<void> {
    if (this.#waiting >= MAX_WAITING) return;
    this.#waiting += 1;
    try {
      await this.#limit(() => this.#write(manifest));
    } catch (error) {
      this.#options.onFailure(scan, error);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #write(manifest: PolicyReport): Promise<void> {
    if (await this.#isServed()) await this.#options.reports.apply(manifest.metadata, manifest);
  }

  async #isServed(): Promise<boolean> {
    const { transport, clock } = this.#options;
    const at = clock.monotonic();
    if (this.#served && at - this.#served.at < KNOWN_MS) return this.#served.is;
    const path = `/apis/${REPORTS.group}/${REPORTS.version}`;
    const is = await requestJson(transport, { path }).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
    this.#served = { at, is };
    return is;
  }
}
