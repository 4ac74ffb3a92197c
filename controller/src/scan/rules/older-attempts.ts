import { currentAttempt } from "../world.ts";
import { requeueIn, type Rule } from "./rule.ts";

/** What is left of an earlier attempt goes before the next one starts: at most one live Job a scan. */
export const olderAttempts: Rule = (world) => {
  const current = currentAttempt(world);
  const older = world.attempts.filter(({ number }) => number < current);
  if (older.length === 0) return undefined;
  return {
    rule: "olderAttempts",
    actions: [
      ...older.map(({ number }) => ({ do: "deleteAttempt", attempt: number }) as const),
      requeueIn(world.settings.graceSeconds),
    ],
  };
};
