import { type ScanResource, SCAN_SCHEDULES, type ScheduleResource } from "@glovebox/k8s";
import {
  keyOf,
  type KubeTransport,
  NamespacedCache,
  type Change,
  type Lister,
  WorkQueue,
  type WorkQueueObserver,
} from "@glovebox/kube";
import { BY_SCHEDULE, bySchedule } from "../kubernetes/ownership.ts";
import { scheduleReconciler, type ScheduleDeps } from "./reconcile.ts";

export interface SchedulesOptions extends Omit<ScheduleDeps, "find" | "scansOf" | "schedules" | "scans"> {
  readonly transport: KubeTransport;
  /** The namespace of scans, and others whose Scans are run. */
  readonly home: string;
  readonly others: readonly string[];
  readonly scans: Lister<ScanResource> & { hasSyncedIn(namespace: string): boolean };
  readonly api: Pick<ScheduleDeps, "schedules" | "scans">;
  readonly observer: WorkQueueObserver;
  /** A watch failed and is restarted. */
  readonly onFailure: (resource: string, error: unknown) => void;
}

const WORKERS = 2;
/** Names of the indexes of ScanSchedules by their UID, and by the UID of the object that controls them. */
const BY_UID = "uid";
const BY_CONTROLLER = "controller";

/** The ScanSchedules of the leader: watches them, and decides on each when it or a Scan of it changes, and when a run is due. */
export class Schedules {
  readonly #cache: NamespacedCache<ScheduleResource>;
  readonly #queue: WorkQueue;

  constructor({ scans, api, observer, transport, home, others, onFailure, ...deps }: SchedulesOptions) {
    this.#cache = new NamespacedCache<ScheduleResource>({
      ...{ transport, home, others, onFailure },
      resource: SCAN_SCHEDULES,
      indexes: {
        [BY_UID]: ({ metadata }) => [metadata.uid],
        [BY_CONTROLLER]: ({ metadata }) =>
          (metadata.ownerReferences ?? []).filter(({ controller }) => controller).map(({ uid }) => uid),
      },
      onChange: ({ object }) => this.#queue.add(keyOf(object)),
    });
    const handle = scheduleReconciler({
      ...deps,
      ...api,
      find: (key) => this.#cache.get(key),
      scansOf: ({ metadata: { namespace, uid } }) =>
        scans.hasSyncedIn(namespace) ? scans.find(BY_SCHEDULE, uid) : undefined,
    });
    this.#queue = new WorkQueue({ handle, workers: WORKERS, observer });
    this.#cache.start();
  }

  /** A Scan has changed: perhaps one of a schedule. */
  onScan({ object }: Change<ScanResource>): void {
    const owners = bySchedule(object).flatMap((uid) => this.#cache.find(BY_UID, uid));
    for (const schedule of owners) this.#queue.add(keyOf(schedule));
  }

  /** The schedules that the object of this UID controls; undefined while the objects of its namespace are not known. */
  controlledBy(namespace: string, uid: string): readonly ScheduleResource[] | undefined {
    return this.#cache.hasSyncedIn(namespace) ? this.#cache.find(BY_CONTROLLER, uid) : undefined;
  }

  /** Starts no more work, and resolves when the current work has ended. */
  async stop(): Promise<void> {
    await Promise.all([this.#queue.halt(), this.#cache.stop()]);
  }
}
