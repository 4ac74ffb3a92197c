import { expect, test } from "vitest";
import { parseQuery } from "../http/route.ts";
import { listScans } from "./list-scans.ts";

const parsed = (query: string) => parseQuery(listScans.query!, `/v1/scans?${query}`);

test.each([
  ["", 20, 0],
  ["limit=1", 1, 0],
  ["limit=100&offset=5", 100, 5],
  ["limit=101", 100, 0],
  ["limit=9007199254740991", 100, 0],
  ["offset=010", 20, 10],
  ["other=1", 20, 0],
])("%j asks for %i from %i", (query, limit, offset) => {
  expect(parsed(query)).toEqual({ limit, offset });
});

test.each([
  "limit=0",
  "limit=",
  "limit=+1",
  "limit=1.0",
  "limit=0x10",
  "limit=NaN",
  "limit=1&limit=1",
  "limit=%31%00",
])("%s is refused, naming limit", (query) => {
  expect(() => parsed(query)).toThrow(/^limit: /);
});
test.each(["offset=-1", "offset=a", "offset=9007199254740993", "offset= 1", "offset=1&offset=2"])(
  "%s is refused, naming offset",
  (query) => {
    expect(() => parsed(query)).toThrow(/^offset: /);
  },
);
