const MAX_DEPTH = 3;

/** The rows of an answer: the list that it is, or the longest list of objects inside; undefined when it has none. */
export function rowsOf(json: unknown): readonly unknown[] | undefined {
  let level: unknown[] = [json];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const lists = level.filter((value) => Array.isArray(value));
    if (lists.length > 0)
      return lists.reduce((longest, list) => (list.length > longest.length ? list : longest));
    level = level
      .flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []))
      .slice(0, 200);
  }
  return undefined;
}

/** What tells a row from the others: its id where it has one, or else all of it. */
export function identityOf(row: unknown): string {
  const fields = typeof row === "object" && row !== null ? (row as Record<string, unknown>) : {};
  const id = ["id", "_id", "uuid", "slug", "key", "code"]
    .map((name) => fields[name])
    .find((value) => value !== undefined);
  return JSON.stringify(id ?? row).slice(0, 2000);
}
