import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MIGRATION, SQL_SHA256 } from "./schema-version.ts";
import { sqlDigest } from "./sql-files.ts";

const journal = JSON.parse(
  readFileSync(new URL("../../migrations/meta/_journal.json", import.meta.url), "utf8"),
) as { entries: { when: number }[] };
const moments = journal.entries.map(({ when }) => when);

test("the schema's version is the version of the last migration and of the functions", () => {
  expect([MIGRATION, SQL_SHA256]).toEqual([moments.at(-1), sqlDigest()]);
});

test("each migration is later than the one before: drizzle skips those that are not", () => {
  expect(moments).toEqual([...new Set(moments)].toSorted((a, b) => a - b));
});
