import { describe, expect, it } from "vitest";
import { Operation, discoveredOperation } from "../inventory/operation.ts";
import { rowLike } from "./listed-objects.ts";

const list = (path: string, rows: readonly object[]) => ({
  operation: new Operation(
    "https://api.test",
    discoveredOperation({ method: "GET", base: "", path, parameters: [] }),
  ),
  json: { data: rows },
});
const note = { id: 1, key: 1, title: "Plans", text: "Call the dentist", createdAt: "2026-01-01T08:00:00Z" };

describe("the row of an object", () => {
  const article = {
    id: 1,
    key: 1,
    title: "Opening hours",
    body: "Nine to five",
    createdAt: "2026-01-02T08:00:00Z",
  };
  const { text: _, ...summary } = note;
  const cases: { what: string; rows: readonly object[]; found: unknown }[] = [
    { what: "the same object is found", rows: [note], found: note },
    { what: "a summary of the object is found", rows: [summary], found: summary },
    {
      what: "the object after a change of its title is found",
      rows: [{ ...note, title: "Other" }],
      found: { ...note, title: "Other" },
    },
    {
      what: "an object of another kind with the same id is not taken for it",
      rows: [article],
      found: undefined,
    },
    {
      what: "an object with another id is not taken for it",
      rows: [{ ...note, id: 2, key: 2 }],
      found: undefined,
    },
    { what: "a row of its id alone is found", rows: [{ id: 1 }], found: { id: 1 } },
  ];
  it.each(cases)("$what", ({ rows, found }) => {
    expect(rowLike({ data: note }, [list("/rows", rows)])).toEqual(found);
  });
});
