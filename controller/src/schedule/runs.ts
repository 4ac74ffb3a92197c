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

/** Name of the Scan of a run: the same for every process and at every try, so that no run starts twice. */
export const runName = ({ metadata }: ScheduleResource, slot: Date): string =>
  `${metadata.name}-${Math.floor(slot.getTime() / 60_000)}`;

/** The time of the run that a Scan was created for; undefined if its name has none. */
export function slotOf({ metadata }: ScanResource): Date | undefined {
  const minutes = /-(\d{8})$/.exec(metadata.name)?.[1];
  return minutes === undefined ? undefined : new Date(Number(minutes) * 60_000);
}

/** The Scan of a run. It is deleted with its schedule. */
export function scanOfRun(schedule: ScheduleResource, slot: Date): ScanManifest {
  const { name, namespace } = schedule.metadata;
  return {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: {
      name: runName(schedule, slot),
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
