import { LABELS, scanIdOf, type ScanResource } from "@glovebox/k8s";
import type { V1Job } from "@kubernetes/client-node";
import type { Lister } from "../runtime/object-store.ts";
import type { Wire } from "../runtime/resource.ts";
import { jobView } from "./attempt-views.ts";
import { admit, type Caps, type Contender } from "./fair-queue.ts";

export interface SlotsDeps {
  readonly scans: Pick<Lister<ScanResource>, "list" | "find">;
  readonly jobs: Pick<Lister<Wire<V1Job>>, "list">;
  readonly caps: Caps;
}

/** Name of the index of Scans by their id. */
export const BY_SCAN_ID = "scanId";

/** Who may have a Job: counted from the Jobs that have not ended, and those let go whose Job is not seen yet. */
export class Slots {
  readonly #deps: SlotsDeps;
  readonly #letGo = new Map<string, Contender>();

  constructor(deps: SlotsDeps) {
    this.#deps = deps;
  }

  /** Whether this Scan may start now; if so, its slot is held until its Job is seen or it has ended. */
  slotOf(scan: ScanResource): "granted" | "waiting" {
    const id = scanIdOf(scan);
    const live = this.#live();
    if (live.some((contender) => contender.id === id)) return "granted";
    if (live.length >= this.#deps.caps.total || !this.#admitted(live).includes(id)) return "waiting";
    this.#letGo.set(id, contenderOf(scan));
    return "granted";
  }

  /** The Scans whose turn it is now, in that order. */
  turns(): readonly ScanResource[] {
    const live = this.#live();
    if (live.length >= this.#deps.caps.total) return [];
    return this.#admitted(live).flatMap((id) => this.#deps.scans.find(BY_SCAN_ID, id).slice(0, 1));
  }

  /** Scans that have neither ended nor a Job, with the time since when. */
  waiting(): readonly (Contender & { readonly since: number })[] {
    const live = new Set(this.#live().map(({ id }) => id));
    return this.#deps.scans
      .list()
      .filter((scan) => !isOver(scan) && !live.has(scanIdOf(scan)))
      .map((scan) => ({ ...contenderOf(scan), since: Date.parse(scan.metadata.creationTimestamp) }));
  }

  #admitted(live: readonly Contender[]): string[] {
    return admit(this.waiting(), live, this.#deps.caps);
  }

  #live(): Contender[] {
    const running = this.#deps.jobs.list().filter((job) => !jobView(job).ended);
    const withJob = running.map((job) => this.#contenderWithJob(job));
    const seen = new Set(withJob.map(({ id }) => id));
    for (const id of this.#letGo.keys()) {
      const [scan] = this.#deps.scans.find(BY_SCAN_ID, id);
      if (seen.has(id) || !scan || isOver(scan)) this.#letGo.delete(id);
    }
    return [...withJob, ...this.#letGo.values()];
  }

  #contenderWithJob({ metadata }: Wire<V1Job>): Contender {
    const id = metadata?.labels?.[LABELS.scan] ?? "";
    const [scan] = this.#deps.scans.find(BY_SCAN_ID, id);
    return scan ? contenderOf(scan) : { id, account: "", host: "" };
  }
}

const isOver = ({ status, metadata }: ScanResource): boolean =>
  status?.finishedAt !== undefined || metadata.deletionTimestamp !== undefined;

/** Scans that name no account are their namespace's, so they share one turn. */
const contenderOf = (scan: ScanResource): Contender => ({
  id: scanIdOf(scan),
  account: scan.spec.account ?? "",
  host: hostOf(scan.spec.url),
});

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");
