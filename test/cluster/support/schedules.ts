import {
  API_VERSION,
  type ScanResource,
  SCHEDULE_KIND,
  SCHEDULE_LABEL,
  type ScheduleResource,
  type ScheduleSpec,
} from "@glovebox/k8s";
import { apply, getJson } from "./kubectl.ts";

/** A cron expression for the next minute that begins in 15 seconds or more, and never again within a day. */
export function soon(): string {
  const at = new Date(Date.now() + 75_000);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
}

export const applySchedule = (namespace: string, name: string, spec: ScheduleSpec): Promise<string> =>
  apply({ apiVersion: API_VERSION, kind: SCHEDULE_KIND, metadata: { name, namespace }, spec });

export const getSchedule = (namespace: string, name: string): Promise<ScheduleResource> =>
  getJson<ScheduleResource>("scanschedules.glovebox.dev", name, "-n", namespace);

/** The Scans of a schedule. */
export async function scansOf(namespace: string, schedule: string): Promise<ScanResource[]> {
  const selector = `${SCHEDULE_LABEL}=${schedule}`;
  const found = await getJson<{ items: ScanResource[] }>(
    "scans.glovebox.dev",
    "-n",
    namespace,
    "-l",
    selector,
  );
  return found.items;
}
