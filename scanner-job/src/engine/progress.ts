import type { Category } from "@glovebox/contract";
import type { Task } from "./task.ts";

/** Progress messages for one category at most: they share the size limit of the log with the report. */
const STEPS = 10;

/** Reports the progress of each category, from 0 to all planned tasks; the plan grows as operations are discovered. */
export function progressReporter(onProgress: (category: Category, done: number, planned: number) => void) {
  const planned = new Map<Category, number>();
  const done = new Map<Category, number>();
  const reported = new Map<Category, number>();
  const report = (category: Category): void => {
    const [now, all] = [done.get(category) ?? 0, planned.get(category) ?? 0];
    const step = all === 0 ? 0 : Math.floor((STEPS * now) / all);
    if (step === reported.get(category)) return;
    reported.set(category, step);
    onProgress(category, now, all);
  };
  return {
    planned(tasks: readonly Pick<Task, "check">[]): void {
      for (const [category, { length }] of Map.groupBy(tasks, ({ check }) => check.category)) {
        planned.set(category, (planned.get(category) ?? 0) + length);
        if (!reported.has(category)) report(category);
      }
    },
    done(category: Category): void {
      done.set(category, (done.get(category) ?? 0) + 1);
      report(category);
    },
  };
}
