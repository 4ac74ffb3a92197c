import { createHash } from "node:crypto";
import { MIN_INTERVAL_MINUTES } from "@glovebox/domain/schedule";
import {
  API_VERSION,
  CONTROLLER_NAME,
  KIND,
  LABELS,
  type OwnerReference,
  type ScanManifest,
  type ScanResource,
  SCHEDULE_KIND,
  SCHEDULE_LABEL,
  type ScheduleResource,
} from "@glovebox/k8s";

/** No run of a schedule is closer to the next, with any plan of its account. */
export const MIN_MINUTES = MIN_INTERVAL_MINUTES.enterprise ?? 15;

/** Name of the Scan of a run: the same for every process and at every try, so that no run starts twice. */
export const runName = ({ metadata }: ScheduleResource, slot: Date): string =>
  `${metadata.name}-${Math.floor(slot.getTime() / 60_000)}`;

/** The time of the run that a Scan was created for; undefined if its name has none. */
export function slotOf({ metadata }: ScanResource): Date | undefined {
  const minutes = /-(\d{8})$/.exec(metadata.name)?.[1];
  return minutes === undefined ? undefined : new Date(Number(minutes) * 60_000);
}

/** Name of the Scan of a revision: the same at every try. A revision that comes back is another generation, and has another. */
export function revisionRunName({ metadata, spec }: ScheduleResource): string {
  const digest = createHash("sha256").update(`${metadata.generation} ${spec.revision}`).digest("hex");
  return `${metadata.name}-r${digest.slice(0, 7)}`;
}

/** The Scan of a run. It is deleted with its schedule. */
export function scanOfRun(schedule: ScheduleResource, runName: string): ScanManifest {
  const { name, namespace } = schedule.metadata;
  return {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: {
      name: runName,
      namespace,
      labels: { [SCHEDULE_LABEL]: name, [LABELS.managedBy]: CONTROLLER_NAME },
      ownerReferences: [controllerReference(schedule)],
    },
    spec: schedule.spec.scanTemplate.spec,
  };
}

const controllerReference = ({ metadata: { name, uid } }: ScheduleResource): OwnerReference => ({
  apiVersion: API_VERSION,
  kind: SCHEDULE_KIND,
  name,
  uid,
  controller: true,
});
