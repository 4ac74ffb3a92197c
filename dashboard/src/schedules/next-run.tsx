import type { ReactNode } from "react";
import { Badge } from "../parts/badges.tsx";
import { runInWords } from "./run-in-words.ts";
import type { ScheduleItem } from "@glovebox/contract/schedules";

export function NextRun({ schedule, now }: { schedule: ScheduleItem; now: Date }): ReactNode {
  const { suspend, nextRunAt, timeZone } = schedule;
  if (suspend) return <Badge tone="neutral">Suspended</Badge>;
  return nextRunAt === null ? "Never" : runInWords(nextRunAt, timeZone, now);
}
