import { readFileSync } from "node:fs";
import { canarySettingRows, controllerSettingRows } from "@glovebox/controller";
import { expect, test } from "vitest";
import { settingsDocument } from "./settings.ts";

test("docs/settings.md is what the tables of the settings say", () => {
  const page = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
  expect(page).toBe(settingsDocument());
});

test.each([
  ["controller", controllerSettingRows()],
  ["canary", canarySettingRows()],
])("docs/settings.md has one row for each setting of the %s", (title, rows) => {
  const [section] = settingsDocument().split(`## The ${title}\n`)[1]!.split("\n## ");
  const names = [...section!.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(names).toEqual(rows.map(({ name }) => name));
});
