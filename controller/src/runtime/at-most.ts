/** Runs a task as soon as it is its turn. */
export type InTurn = <T>(task: () => Promise<T>) => Promise<T>;

/** Lets so many tasks run at a time; the others wait in the order in which they came. */
export function atMost(count: number): InTurn {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (task) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
