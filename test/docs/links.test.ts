import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorOf, headingsOf, linksOf } from "./markdown.ts";
import { exists, files, read } from "./repository.ts";

const SOURCES = ["**/*.{ts,mjs,tpl,yaml,sh,sql}", ".ci/*", "Dockerfile"];
const PAGES = files("**/*.md");

const hasHeading = (path: string, fits: (heading: string) => boolean): boolean =>
  exists(path) && headingsOf(read(path)).some(fits);

function isValidLink({ page, link }: { page: string; link: string }): boolean {
  const [file, anchor] = link.split("#") as [string, string?];
  const path = file === "" ? page : join(dirname(page), file);
  return anchor === undefined ? exists(path) : hasHeading(path, (heading) => anchorOf(heading) === anchor);
}

test("every link in the documentation points to an existing file and heading", () => {
  const links = PAGES.flatMap((page) => linksOf(read(page)).map((link) => ({ page, link })));
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => !isValidLink(link))).toEqual([]);
});

const ADRS = files("docs/adr/*.md");
const isValidCitation = (citation: string): boolean => {
  const [path, section] = citation.split(', "') as [string, string?];
  if (/^docs\/adr\/\d{4}$/.test(path)) return ADRS.some((adr) => adr.startsWith(path));
  return section === undefined ? exists(path) : hasHeading(path, (heading) => heading === section);
};

/** A page of the documentation, `docs/errors.md`, a section of one, `docs/errors.md, "Codes"`, or a decision, `docs/adr/0001`. */
const CITATION = /\bdocs\/(?:adr\/\d{4}(?!-)|[\w/-]+\.md(?:, "[^"\n]+)?)/g;
/** Sources outside the repository, which its readers do not have. */
const EXTERNAL_SOURCES = /(?<!docs\/)\b(?:spec|decisions)\.md\b|\bissue \d+\b|\bresearch\/\w/gi;

describe("comments and messages", () => {
  const sources = files(...SOURCES)
    .filter((path) => !path.startsWith("test/docs/"))
    .map((path) => ({ path, text: read(path) }));
  const found = (pattern: RegExp) =>
    sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([match]) => ({ path, match })));

  test("cite existing pages and sections of the documentation only", () => {
    const citations = found(CITATION);
    expect(citations.length).toBeGreaterThan(40);
    expect(citations.filter(({ match }) => !isValidCitation(match))).toEqual([]);
  });

  test("cite no sources outside the repository", () => {
    expect(found(EXTERNAL_SOURCES)).toEqual([]);
  });
});
