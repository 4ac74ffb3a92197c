import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { trpc } from "../trpc.ts";
import { runInWords } from "./run-in-words.ts";
import type { ScheduleValues } from "./schedule-values.ts";

export interface Preview {
  readonly problems: { readonly schedule?: string; readonly timeZone?: string };
  /** The next runs; undefined while they are not known. */
  readonly words?: string;
}

/** What the service says of the times that are filled in. */
export function usePreview({ schedule, timeZone }: Pick<ScheduleValues, "schedule" | "timeZone">): Preview {
  const expression = schedule.trim().replaceAll(/\s+/g, " ");
  const isComplete = expression.split(" ").length === 5;
  const { data } = useQuery(
    trpc.schedules.preview.queryOptions(
      { schedule: expression, timeZone },
      { enabled: isComplete, placeholderData: keepPreviousData },
    ),
  );
  if (!isComplete || !data) return { problems: {} };
  if (data.problem) return { problems: { [data.problem.field]: data.problem.message } };
  const now = new Date();
  const runs = data.runs.map((run) => runInWords(run, timeZone, now).replace(` (${timeZone})`, ""));
  return { problems: {}, words: `Next: ${runs.join(", ")}.` };
}
