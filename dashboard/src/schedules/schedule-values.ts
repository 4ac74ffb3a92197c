import type { ScanContext } from "@glovebox/contract";
import type { ConcurrencyPolicy } from "@glovebox/contract/schedule";
import type { ScheduleItem } from "@glovebox/contract/schedules";
import { filtersIn, type FilterValues } from "../scans/filter-fields.tsx";
import type { Inputs } from "../trpc.ts";

/** The values of the form, as text where a text field has them. */
export interface ScheduleValues extends FilterValues {
  readonly name: string;
  readonly url: string;
  readonly specUrl: string;
  readonly context: ScanContext | undefined;
  /** Name of a saved set of the target; empty: none. */
  readonly identitySet: string;
  readonly schedule: string;
  readonly timeZone: string;
  readonly concurrencyPolicy: ConcurrencyPolicy;
  readonly jitterSeconds: string;
  readonly startingDeadlineSeconds: string;
  readonly historyLimit: string;
}

export const newValues = (timeZone: string): ScheduleValues => ({
  ...{ name: "", url: "", specUrl: "", context: undefined, schedule: "", timeZone },
  ...{ identitySet: "", include: "", exclude: "" },
  ...{ concurrencyPolicy: "Forbid", jitterSeconds: "0", startingDeadlineSeconds: "3600", historyLimit: "10" },
});

export const valuesOf = (schedule: ScheduleItem): ScheduleValues => ({
  ...schedule,
  specUrl: schedule.specUrl ?? "",
  context: schedule.context ?? undefined,
  identitySet: schedule.identitySet ?? "",
  include: (schedule.include ?? []).join("\n"),
  exclude: (schedule.exclude ?? []).join("\n"),
  jitterSeconds: String(schedule.jitterSeconds),
  startingDeadlineSeconds: String(schedule.startingDeadlineSeconds),
  historyLimit: String(schedule.historyLimit),
});

function settingsOf(
  values: ScheduleValues,
): Omit<Inputs["schedules"]["create"], keyof ReturnType<typeof optionalOf>> {
  const { name, url, schedule, timeZone, concurrencyPolicy } = values;
  return {
    ...{ name, url, schedule: schedule.trim().replaceAll(/\s+/g, " "), timeZone, concurrencyPolicy },
    jitterSeconds: Number(values.jitterSeconds),
    startingDeadlineSeconds: Number(values.startingDeadlineSeconds),
    historyLimit: Number(values.historyLimit),
  };
}

/** What may be empty; null where it is. */
const optionalOf = (values: ScheduleValues) => ({
  specUrl: values.specUrl || null,
  context: values.context ?? null,
  include: filtersIn(values.include) ?? null,
  exclude: filtersIn(values.exclude) ?? null,
  identitySet: values.identitySet || null,
});

export const creationOf = (values: ScheduleValues): Inputs["schedules"]["create"] => {
  const { specUrl, context, include, exclude, identitySet } = optionalOf(values);
  return {
    ...settingsOf(values),
    ...(specUrl && { specUrl }),
    ...(context && { context }),
    ...(include && { include }),
    ...(exclude && { exclude }),
    ...(identitySet && { identitySet }),
  };
};

/** An empty field removes what was there. */
export const changeOf = (id: string, values: ScheduleValues): Inputs["schedules"]["update"] => ({
  ...{ id, ...settingsOf(values), ...optionalOf(values) },
});
