/**
 * Reads rows by id with one statement at a time. Those that are asked for while it is under way are read together by the next one, so
 * each row is as it was after it was asked for. Without other reads there is no wait.
 */
export class GroupedReads<Row> {
  readonly #read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>;
  #next: Group<Row> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>) {
    this.#read = read;
  }

  /** Undefined if there is no such row. Rejects as the statement does, which may have read other rows as well. */
  async get(id: string): Promise<Row | undefined> {
    const group = (this.#next ??= this.#begin());
    group.ids.add(id);
    return (await group.rows).get(id);
  }

  #begin(): Group<Row> {
    const ids = new Set<string>();
    const rows = this.#last.then(() => {
      this.#next = undefined;
      return this.#read([...ids]);
    });
    this.#last = rows.catch(() => undefined);
    return { ids, rows };
  }
}

interface Group<Row> {
  readonly ids: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
}
