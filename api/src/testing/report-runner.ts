import { REPORT_TASKS } from "../reports/report-tasks.ts";
import type { ReportRunner } from "../reports/report-workers.ts";

/** Runs tasks immediately and in this thread. */
export const inThisThread: ReportRunner = {
  run: async (_accountId, name, load) => REPORT_TASKS[name]((await load()) as never) as never,
};
