import { readFileSync } from "node:fs";
import { loadAll } from "js-yaml";
import { expect, test } from "vitest";
import { blocksOf } from "../docs/markdown.ts";
import { render, type Manifest } from "./helm.ts";

const page = readFileSync(new URL("../../docs/kubernetes.md", import.meta.url), "utf8");
const documents = blocksOf(page)
  .filter(({ language }) => language === "yaml")
  .flatMap(({ text }) => loadAll(text) as Manifest[]);
const values = documents.filter((document) => !("kind" in document));

test("the chart renders with the values in docs/kubernetes.md", () => {
  expect(values.length).toBeGreaterThan(0);
  for (const shown of values) expect(render(shown).length).toBeGreaterThan(10);
});
