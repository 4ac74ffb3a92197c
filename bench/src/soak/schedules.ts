import type { SoakSchedule } from "./facts.ts";

const MINUTE_MS = 60_000;
/** The shortest interval of the plan Enterprise. */
export const INTERVAL_MINUTES = 15;
/** A run that became due so shortly before the schedule was suspended may or may not have started. */
const DECISION_MS = 20_000;

/** A cron expression: every 15 minutes, from this minute of the hour. */
export const cronFrom = (minute: number): string => {
  const first = minute % INTERVAL_MINUTES;
  return `${[0, 1, 2, 3].map((turn) => first + turn * INTERVAL_MINUTES).join(",")} * * * *`;
};

/** The moments at which a schedule was due. @internal */
export function dueTimes({ minute, createdAt, suspendedAt }: SoakSchedule): number[] {
  const due: number[] = [];
  const first = Math.floor(createdAt / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  for (let at = first; at <= suspendedAt; at += MINUTE_MS)
    if (new Date(at).getUTCMinutes() % INTERVAL_MINUTES === minute % INTERVAL_MINUTES) due.push(at);
  return due;
}

/** A sentence for each due time without exactly one started run, and for each run without a due time. */
export function wrongRuns(schedule: SoakSchedule): string[] {
  const { account, runs, suspendedAt } = schedule;
  const due = dueTimes(schedule);
  const decided = due.filter((at) => at < suspendedAt - DECISION_MS);
  const times = runs.flatMap(({ scheduledAt }) => (scheduledAt === null ? [] : Date.parse(scheduledAt)));
  const name = (at: number): string => `the schedule of ${account} at ${new Date(at).toISOString()}`;
  return [
    ...decided.filter((at) => !times.includes(at)).map((at) => `${name(at)} has no run`),
    ...times.filter((at, index) => times.indexOf(at) < index).map((at) => `${name(at)} ran twice`),
    ...times.filter((at) => !due.includes(at)).map((at) => `${name(at)} ran without being due`),
    ...runs.flatMap(({ outcome, scheduledAt, reason }) =>
      outcome === "started" ? [] : [`the schedule of ${account} at ${scheduledAt}: ${outcome}, ${reason}`],
    ),
  ];
}
