import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const built = new URL("../../dist/dashboard/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL("manifest.json", built), "utf8")) as Record<string, Chunk>;
const KB = 1000;

/** Everything that the page loads before it can show anything: the chunk and all that it imports statically. */
function loadedAtOnce(name: string, seen = new Set<string>()): Set<string> {
  if (!seen.has(name))
    for (const each of (seen.add(name), manifest[name]!.imports ?? [])) loadedAtOnce(each, seen);
  return seen;
}

const gzipped = (file: string): number => gzipSync(readFileSync(new URL(file, built)), { level: 9 }).length;
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

describe("the first view of the dashboard", () => {
  const chunks = [...loadedAtOnce("index.html")].map((name) => manifest[name]!);

  test("loads less than 200 kB of script", () => {
    expect(sum(chunks.map(({ file }) => gzipped(file))) / KB).toBeLessThan(200);
  });

  test("the first view of the dashboard has no validator of schemas, which compiles code and so violates its Content-Security-Policy", () => {
    const scripts = Object.values(manifest).flatMap(({ file }) => (file.endsWith(".js") ? [file] : []));
    const compiling = /\bnew Function\b|\bFunction\(`/;
    expect(scripts.filter((file) => compiling.test(readFileSync(new URL(file, built), "utf8")))).toEqual([]);
  });

  test("loads less than 20 kB of styles", () => {
    expect(sum(chunks.flatMap(({ css = [] }) => css.map(gzipped))) / KB).toBeLessThan(20);
  });

  test("the first view of the dashboard has no inline script or style, which its Content-Security-Policy would block", () => {
    const page = readFileSync(new URL("index.html", built), "utf8");
    expect(page.match(/<script(?![^>]*\bsrc=)[^>]*>/g)).toBeNull();
    expect(page).not.toMatch(/<style|\bstyle=|\son\w+=|https?:\/\//);
  });
});
