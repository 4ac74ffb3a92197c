import type { Category } from "@glovebox/contract";
import type { Task } from "./schedule.ts";

/** How often a category's progress is told, however many operations there are: it goes the same way as the report. */
const STEPS = 10;

/** Tells the progress of each category, from nothing to all; what is planned grows as operations are found. */
export function progressReporter(onProgress: (category: Category, done: number, planned: number) => void) {
  const planned = new Map<Category, number>();
  const done = new Map<Category, number>();
  const told = new Map<Category, number>();
  const tell = (category: Category): void => {
    const [now, all] = [done.get(category) ?? 0, planned.get(category) ?? 0];
    const step = all === 0 ? 0 : Math.floor((STEPS * now) / all);
    if (step === told.get(category)) return;
    told.set(category, step);
    onProgress(category, now, all);
  };
  return {
    planned(tasks: readonly Pick<Task, "check">[]): void {
      for (const [category, { length }] of Map.groupBy(tasks, ({ check }) => check.category)) {
        planned.set(category, (planned.get(category) ?? 0) + length);
        if (!told.has(category)) tell(category);
      }
    },
    done(category: Category): void {
      done.set(category, (done.get(category) ?? 0) + 1);
      tell(category);
    },
  };
}
