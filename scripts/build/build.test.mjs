import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundledScanner, confinedArguments } from "../../cli/src/scanner/program.ts";
import { ensureBuilt } from "../build.mjs";

const tree = {
  "package.json": `{ "type": "module" }`,
  "store/migrations/meta/journal.json": "[]",
  ...Object.fromEntries(
    ["package.json", "LICENSE", "NOTICE", "swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png"].map(
      (file) => [`node_modules/swagger-ui-dist/${file}`, file],
    ),
  ),
  "scanner-job/src/main.ts": `console.log("scanner" as string);`,
  "cli/src/main.ts": `
    import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    console.log(new URL("../..", import.meta.url).pathname.length > 1);
    const migrations = new URL("../../store/migrations", import.meta.url);
    console.log(readFileSync(new URL(\`\${migrations}/meta/journal.json\`), "utf8"));
    console.log(readFileSync(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"), "utf8"));
    await import(new URL("../../scanner-job/src/main.ts", import.meta.url).href);`,
};

let folder;
const write = (path, text) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const root = () => pathToFileURL(`${folder}/`);
const run = (file) => execFileSync(process.execPath, [file], { encoding: "utf8" });
/** What the scanner prints when started as the command starts it, and whether V8 refused the code made for it. */
const startScanner = () => {
  const { file } = bundledScanner(join(folder, "dist"));
  const flags = confinedArguments(bundledScanner(join(folder, "dist"))).slice(0, -1);
  const program = `const { script } = await import("${pathToFileURL(file).href}"); console.log(script.cachedDataRejected);`;
  return execFileSync(process.execPath, [...flags, "--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
};
const builtAt = () => statSync(join(folder, "dist/glovebox.mjs")).mtimeMs;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "glovebox-build-"));
  for (const [path, text] of Object.entries(tree)) write(path, text);
  const earlier = new Date(Date.now() - 60_000);
  for (const path of readdirSync(folder, { recursive: true }))
    utimesSync(join(folder, path), earlier, earlier);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a build", () => {
  it("ships the files and programs that sources name by URL, and runs without the sources", async () => {
    await ensureBuilt(root());
    for (const unbuilt of ["cli", "store", "scanner-job", "node_modules"])
      rmSync(join(folder, unbuilt), { recursive: true });
    expect(run(join(folder, "dist/glovebox.mjs"))).toBe("true\n[]\npackage.json\nscanner\n");
  });

  it("ships the licence texts of the packages that it bundles", async () => {
    write("node_modules/padder/package.json", `{ "name": "padder", "version": "1.2.3", "license": "MIT" }`);
    write("node_modules/padder/LICENSE.md", "Copyright of padder");
    write("node_modules/padder/index.js", "export default 1;");
    write("scanner-job/src/main.ts", `import pad from "padder"; console.log(pad);`);
    await ensureBuilt(root());
    const texts = readFileSync(join(folder, "dist/third-party-licenses.txt"), "utf8");
    expect(texts).toContain("padder 1.2.3 (MIT)\n\nCopyright of padder\n");
  });

  it("leaves no characters but ASCII in a bundle, with the same text when it runs", async () => {
    const text = "console.log(((parts) => parts[0])`\u2013 \u{1f512}`, /^[\u00e0-\u00ff]$/.test('\u00e9'));";
    write("scanner-job/src/main.ts", text);
    write("cli/src/main.ts", text);
    await ensureBuilt(root());
    for (const file of ["glovebox.mjs", "scanner-job.bundle.cjs"])
      expect(readFileSync(join(folder, "dist", file), "utf8")).not.toMatch(/[^\0-\x7f]/);
    expect(run(join(folder, "dist/glovebox.mjs"))).toBe("\u2013 \u{1f512} true\n");
    expect(startScanner()).toBe("\u2013 \u{1f512} true\nfalse\n");
  });

  it("a build is not repeated while nothing has changed", async () => {
    await ensureBuilt(root());
    const before = builtAt();
    await ensureBuilt(root());
    expect(builtAt()).toBe(before);
  });

  it.each(["cli/src/main.ts", "cli/src", "package-lock.json", "store/migrations/meta/journal.json"])(
    "is repeated when %s is newer",
    async (path) => {
      write("package-lock.json", "{}");
      await ensureBuilt(root());
      utimesSync(join(folder, "dist/glovebox.mjs"), 0, 0);
      const later = new Date(Date.now() + 60_000);
      utimesSync(join(folder, path), later, later);
      await ensureBuilt(root());
      expect(builtAt()).toBeGreaterThan(0);
    },
  );

  it("a build that fails names the file and leaves the bundle of before whole", async () => {
    await ensureBuilt(root());
    const before = readFileSync(join(folder, "dist/glovebox.mjs"), "utf8");
    write("cli/src/main.ts", "const = 1;");
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(folder, "cli/src/main.ts"), later, later);
    await expect(ensureBuilt(root())).rejects.toThrow("cli/src/main.ts:1:6");
    expect(readFileSync(join(folder, "dist/glovebox.mjs"), "utf8")).toBe(before);
  });

  it("a build beside another one leaves whole bundles and nothing else", async () => {
    await Promise.all([ensureBuilt(root()), ensureBuilt(root())]);
    expect(run(join(folder, "dist/glovebox.mjs"))).toBe("true\n[]\npackage.json\nscanner\n");
    expect(readdirSync(join(folder, "dist")).filter((name) => name.includes("staging"))).toEqual([]);
  });

  it("makes code for the scanner that V8 takes under the flags of the command", async () => {
    await ensureBuilt(root());
    expect(startScanner()).toBe("scanner\nfalse\n");
  });

  it.each([
    ["is missing", () => rmSync(join(folder, "dist/scanner-job.cache"))],
    ["belongs to another bundle", () => write("dist/scanner-job.cache", "f".repeat(9999))],
  ])("leaves a scanner that starts when its code %s", async (_what, spoil) => {
    await ensureBuilt(root());
    spoil();
    expect(startScanner()).toBe("scanner\nundefined\n");
  });

  it("leaves a scanner that starts when V8 refuses its code", async () => {
    await ensureBuilt(root());
    const id = readFileSync(join(folder, "dist/scanner-job.bundle.cjs"), "utf8").slice(-64);
    write("dist/scanner-job.cache", `${id}${"f".repeat(9999)}`);
    expect(startScanner()).toBe("scanner\ntrue\n");
  });
});
