import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scanSpecSchema } from "@glovebox/k8s";
import { loadAll } from "js-yaml";
import { describe, expect, test } from "vitest";
import { blocksOf } from "./markdown.ts";
import { files, read } from "./repository.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = files("**/*.md").filter((path) => !path.startsWith("docs/checks/"));
const blocks = PAGES.flatMap((page) => blocksOf(read(page)).map((block) => ({ page, ...block })));

/** The test of each kind of code block, by its info string, such as `sh run`. */
const TESTED_BY: Readonly<Record<string, string>> = {
  "sh run": "test/standalone/documented-commands.test.ts",
  "sh kubernetes": "test/install/quick-start.test.ts",
  "sh compose": "test/standalone/compose.redis.test.ts",
  "ts run": "this file",
  "ts of api/src/testing/admin-program.ts": "this file and api/src/sign-in/password-sign-in.pg.test.ts",
  yaml: "this file and test/chart/documented-values.test.ts",
  json: "this file",
  mermaid: "not tested",
};

test("every code block is tested, or marked with the reason why not", () => {
  expect(blocks.length).toBeGreaterThan(15);
  const unchecked = blocks.filter(
    ({ language, note }) => !(`${language} ${note}`.trim() in TESTED_BY) && !/^not run: \S.{5,}/.test(note),
  );
  expect(unchecked.map(({ page, language, note }) => `${page}: ${language} ${note}`)).toEqual([]);
});

const ofLanguage = (...wanted: string[]) =>
  blocks
    .filter(({ language, note }) => wanted.includes(`${language} ${note}`.trim()))
    .map((block, index) => ({ ...block, index: index + 1 }));

test.each(ofLanguage("json"))("JSON block $index in $page is valid", ({ text }) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow();
});

interface Manifest {
  readonly kind?: string;
  readonly spec?: { readonly url: string };
}

test("every Scan in a YAML block has a valid spec", () => {
  const scans = ofLanguage("yaml")
    .flatMap(({ text }) => loadAll(text) as Manifest[])
    .filter(({ kind }) => kind === "Scan");
  expect(scans.length).toBeGreaterThan(0);
  for (const { spec } of scans) expect(scanSpecSchema.strict().parse(spec)).toEqual(spec);
});

test("the client of the admin interface in docs/admin.md is the one that the tests use", () => {
  const file = "api/src/testing/admin-program.ts";
  expect(ofLanguage(`ts of ${file}`).map(({ text }) => text.trim())).toEqual([read(file).trim()]);
});

test.each(ofLanguage("ts run"))("TypeScript block $index in $page runs without errors", ({ text }) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "glovebox-snippet-"));
  const onFreePort = text.replace(/port: \d+/, "port: 0").replace(".glovebox/demo", folder.path);
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--conditions=source", "--input-type=module-typescript", "--eval", onFreePort],
    { cwd: ROOT, encoding: "utf8", timeout: 20_000 },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

describe("the documentation mentions", () => {
  test("only existing npm scripts", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = PAGES.flatMap((page) =>
      [...read(page).matchAll(/\bnpm (?:run ([a-z:]+)|(start|test))\b/g)].map(
        ([, run, short]) => run ?? short!,
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test("only variables that docs/settings.md lists, or that tests or scripts use", () => {
    const readers = files("test/**/*.ts", "bench/**/*.ts", "scripts/**/*.mjs", "docs/settings.md", ".ci/*");
    const known = new Set(readers.flatMap((path) => read(path).match(/\bGLOVEBOX_[A-Z_]+\b/g) ?? []));
    const named = PAGES.flatMap((page) => read(page).match(/\bGLOVEBOX_[A-Z_]+\b/g) ?? []);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
