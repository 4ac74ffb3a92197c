import { setImmediate } from "node:timers/promises";

/** Resolves once the condition holds; the test's own time limit ends a vain wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setImmediate();
}
