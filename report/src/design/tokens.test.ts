import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIGHT_TOKENS, TOKENS } from "./tokens.ts";

const root = join(import.meta.dirname, "../../..");
const OWN = ["report/src/design/tokens.ts", "dashboard/src/design/tokens.css"];
const COLOR =
  /(?<![\w&])#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|hwb|light-dark)\(/gi;

const colorsIn = (text: string): string[] => text.match(COLOR) ?? [];

const pages = globSync("{dashboard,report,api}/src/**/*.{css,ts,tsx}", { cwd: root }).filter(
  (path) => !path.includes(".test.") && !OWN.includes(path),
);

test("a color outside the tokens is found", () => {
  expect(colorsIn("a { color: #fff; background: rgb(0 0 0 / 5%) }")).toEqual(["#fff", "rgb("]);
});

test("no page has a separate palette", () => {
  expect(pages).toContain("api/src/sign-in/style.ts");
  expect(pages).toContain("dashboard/src/design/base.css");
  const others = pages.flatMap((path) =>
    colorsIn(readFileSync(join(root, path), "utf8")).map((color) => `${path}: ${color}`),
  );
  expect(others).toEqual([]);
});

test("every custom property that a page reads is a token", () => {
  const known = new Set(TOKENS.match(/--[\w-]+(?=:)/g));
  const read = pages.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => ({
      path,
      name: name!,
    })),
  );
  expect(read.filter(({ name }) => !known.has(name))).toEqual([]);
  expect(new Set(LIGHT_TOKENS.match(/--[\w-]+(?=:)/g))).toEqual(known);
});
