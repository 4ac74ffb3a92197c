import { expect, test } from "vitest";
import type { Database } from "./database.ts";
import { Announcer, type StoreEvent } from "./events.ts";

/** What no timer interrupts. */
const microtasks = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

// Over a real database: events.pg.test.ts.
test("the first announcement is sent immediately, and the announcements of the following milliseconds in one statement", async () => {
  const statements: string[][] = [];
  const sql = (_text: TemplateStringsArray, batch: string) => void statements.push(JSON.parse(batch));
  const run = async (statement: (bound: typeof sql) => unknown) => statement(sql);
  const announcer = new Announcer({ run } as unknown as Database);
  const announce = (id: string): void => announcer.announce({ type: "scanEnded", id });
  const sent = () =>
    statements.map((batch) => batch.map((event) => (JSON.parse(event) as StoreEvent & { id: string }).id));

  announce("a");
  expect(sent()).toEqual([["a"]]);
  await microtasks();
  announce("b");
  await microtasks();
  announce("c");
  await announcer.settled();
  expect(sent()).toEqual([["a"], ["b", "c"]]);

  announce("d");
  await announcer.settled();
  expect(sent()).toEqual([["a"], ["b", "c"], ["d"]]);
});
