import type { ScanContext } from "@glovebox/contract";
import type { ConcurrencyPolicy } from "@glovebox/contract/schedule";
import type { ScheduleItem } from "@glovebox/contract/schedules";
import type { Inputs } from "../trpc.ts";

/** The values of the form, as text where a text field has them. */
export interface ScheduleValues {
  readonly name: string;
  readonly url: string;
  readonly specUrl: string;
  readonly context: ScanContext | undefined;
  readonly schedule: string;
  readonly timeZone: string;
  readonly concurrencyPolicy: ConcurrencyPolicy;
  readonly jitterSeconds: string;
  readonly startingDeadlineSeconds: string;
  readonly historyLimit: string;
}

export const newValues = (timeZone: string): ScheduleValues => ({
  ...{ name: "", url: "", specUrl: "", context: undefined, schedule: "", timeZone },
  ...{ concurrencyPolicy: "Forbid", jitterSeconds: "0", startingDeadlineSeconds: "3600", historyLimit: "10" },
});

export const valuesOf = (schedule: ScheduleItem): ScheduleValues => ({
  ...schedule,
  specUrl: schedule.specUrl ?? "",
  context: schedule.context ?? undefined,
  jitterSeconds: String(schedule.jitterSeconds),
  startingDeadlineSeconds: String(schedule.startingDeadlineSeconds),
  historyLimit: String(schedule.historyLimit),
});

function settingsOf(values: ScheduleValues): Omit<Inputs["schedules"]["create"], "specUrl" | "context"> {
  const { name, url, schedule, timeZone, concurrencyPolicy } = values;
  return {
    ...{ name, url, schedule: schedule.trim().replaceAll(/\s+/g, " "), timeZone, concurrencyPolicy },
    jitterSeconds: Number(values.jitterSeconds),
    startingDeadlineSeconds: Number(values.startingDeadlineSeconds),
    historyLimit: Number(values.historyLimit),
  };
}

export const creationOf = (values: ScheduleValues): Inputs["schedules"]["create"] => ({
  ...settingsOf(values),
  ...(values.specUrl && { specUrl: values.specUrl }),
  ...(values.context && { context: values.context }),
});

/** An empty field removes what was there. */
export const changeOf = (id: string, values: ScheduleValues): Inputs["schedules"]["update"] => ({
  ...{ id, ...settingsOf(values) },
  specUrl: values.specUrl || null,
  context: values.context ?? null,
});
