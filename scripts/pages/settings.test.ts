import { readFileSync } from "node:fs";
import { controllerSettingRows } from "@glovebox/controller";
import { expect, test } from "vitest";
import { settingsDocument } from "./settings.ts";

test("docs/settings.md is what the tables of the settings say", () => {
  const page = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
  expect(page).toBe(settingsDocument());
});

test("docs/settings.md has one row for each setting of the controller", () => {
  const section = settingsDocument().split("## The controller\n")[1]!;
  const names = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(names).toEqual(controllerSettingRows().map(({ name }) => name));
});
