import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROGRAMS, settingsPage } from "./settings.ts";

test("docs/settings.md is what the tables of the settings say", () => {
  const page = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
  expect(page).toBe(settingsPage());
});

test.each(Object.entries(PROGRAMS))("docs/settings.md has one row for each setting of %s", (title, table) => {
  const [section] = settingsPage().split(`## ${title}\n`)[1]!.split("\n## ");
  const names = [...section!.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.values(table).map(({ variable }) => variable));
});
