import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorOf, headingsOf, linksOf } from "./markdown.ts";
import { exists, files, read } from "./repository.ts";

const SOURCES = ["**/*.{ts,mjs,tpl,yaml,sh,sql}", ".ci/*", "Dockerfile"];
const PAGES = files("**/*.md");

const hasHeading = (path: string, fits: (heading: string) => boolean): boolean =>
  exists(path) && headingsOf(read(path)).some(fits);

function leadsSomewhere({ page, link }: { page: string; link: string }): boolean {
  const [file, anchor] = link.split("#") as [string, string?];
  const path = file === "" ? page : join(dirname(page), file);
  return anchor === undefined ? exists(path) : hasHeading(path, (heading) => anchorOf(heading) === anchor);
}

test("every link of every page leads to a file and a heading that exist", () => {
  const links = PAGES.flatMap((page) => linksOf(read(page)).map((link) => ({ page, link })));
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !leadsSomewhere(link))).toEqual([]);
});

const ADRS = files("docs/adr/*.md");
const citesSomething = (citation: string): boolean => {
  const [path, section] = citation.split(', "') as [string, string?];
  if (/^docs\/adr\/\d{4}$/.test(path)) return ADRS.some((adr) => adr.startsWith(path));
  return section === undefined ? exists(path) : hasHeading(path, (heading) => heading === section);
};

/** A page of the documentation, `docs/errors.md`, a section of one, `docs/errors.md, "Codes"`, or a decision, `docs/adr/0001`. */
const CITATION = /\bdocs\/(?:adr\/\d{4}(?!-)|[\w/-]+\.md(?:, "[^"\n]+)?)/g;
/** Written down outside of the repository, so that no reader of it can look it up. */
const ELSEWHERE = /(?<!docs\/)\b(?:spec|decisions)\.md\b|\bissue \d+\b|\bresearch\/\w/gi;

describe("comments and messages", () => {
  const sources = files(...SOURCES)
    .filter((path) => !path.startsWith("test/docs/"))
    .map((path) => ({ path, text: read(path) }));
  const found = (pattern: RegExp) =>
    sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([match]) => ({ path, match })));

  test("cite only pages and sections of the documentation that exist", () => {
    const citations = found(CITATION);
    expect(citations.length).toBeGreaterThan(40);
    expect(citations.filter(({ match }) => !citesSomething(match))).toEqual([]);
  });

  test("cite nothing outside of the repository", () => {
    expect(found(ELSEWHERE)).toEqual([]);
  });
});
