import { DatabaseSync } from "node:sqlite";
import type { FakeResponse } from "../../../../scanner-job/src/testing/fake-api.ts";

const database = new DatabaseSync(":memory:");
database.exec(`
  CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, shelf TEXT, year INTEGER);
  INSERT INTO books (title, shelf, year) VALUES
    ('On rivers', 'nature', 1999), ('On hills', 'nature', 2004), ('On bridges', 'craft', 2011), ('On bread', 'craft', 2015)`);

/** What a handler returns that gives the database this statement, and passes the error on when `telling`. */
export function rowsOf(statement: string, values: readonly string[], telling = true): FakeResponse {
  try {
    return { json: database.prepare(statement).all(...values) };
  } catch (error) {
    return { status: 500, json: { error: telling ? (error as Error).message : "Something went wrong" } };
  }
}
