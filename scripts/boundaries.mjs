// Checks who imports whom, after a self-test: a planted violation of each rule must be found.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import visitors from "@swc/core/Visitor.js";
import { cruise } from "dependency-cruiser";
import configuration, { packages, tests } from "../.dependency-cruiser.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const outsiders = ["test", "bench", "scripts"];

// The visitor that dependency-cruiser reads TypeScript with does not know `using` and `await using`, and gives up.
const { visitStatement } = visitors.Visitor.prototype;
visitors.Visitor.prototype.visitStatement = function visitStatementOrUsing(statement) {
  if (statement.type !== "UsingDeclaration") return visitStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};

const planted = {
  "contract/src/index.ts": `import "@glovebox/store"; import "undici";`,
  "domain/src/index.ts": `import "@glovebox/store"; import "undici"; import "node:crypto";`,
  "scan-run/src/index.ts": `import "@glovebox/store";`,
  "report/src/index.ts": `import "@glovebox/egress"; import "zod";`,
  "egress/src/index.ts": `import "@glovebox/domain"; import "zod";`,
  "settings/src/index.ts": `import "@glovebox/contract";`,
  "demo/src/index.ts": `import "@glovebox/contract";`,
  "store/src/index.ts": `import "@glovebox/egress";`,
  "kube/src/index.ts": `import "@glovebox/contract"; import "express";`,
  "k8s/src/index.ts": `import "@glovebox/store"; import "undici"; import "@kubernetes/client-node";`,
  "k8s/src/examples.test.ts": `import "@glovebox/store";`,
  "controller/src/index.ts": `import "@glovebox/api";`,
  "api/src/index.ts": `import type { x } from "@glovebox/scanner-job"; import "postgres";`,
  "api/src/one/inner.ts": `import "../two/middle.ts";`,
  "api/src/two/middle.ts": `import "../one/outer.ts";`,
  "api/src/one/outer.ts": `export const outer = 1;`,
  "dashboard/src/index.ts": `import "@glovebox/store"; import "@glovebox/api";`,
  "scanner-job/src/index.ts": `import "@glovebox/store"; import "express"; import "../../contract/src/inner.ts"; { await using y = import("node:fs"); }; export type x = 1;`,
  "scanner-job/src/source.ts": `import "./source.test.ts"; import "./missing.ts"; import "lodash"; import "vitest";`,
  "scanner-job/src/source.test.ts": `import "./source.ts"; import "@glovebox/store"; import "@glovebox/demo";`,
  "contract/src/inner.ts": `export const inner = 1;`,
};

async function violations(folder, folders) {
  const isOfFolders = ({ scope }) => scope === "folder";
  const ofModules = configuration.forbidden.filter((rule) => !isOfFolders(rule));
  const all = await summaryOf(folder, folders, { ruleSet: { forbidden: ofModules }, metrics: false });
  // Helpers of tests know every folder, and the tests of every folder know them.
  const exclude = { path: [configuration.options.exclude.path, tests] };
  const ofFolders = configuration.forbidden.filter(isOfFolders);
  const sources = await summaryOf(folder, packages, { ruleSet: { forbidden: ofFolders }, exclude });
  return { totalCruised: all.totalCruised, found: [...all.violations, ...sources.violations] };
}

async function summaryOf(folder, folders, options) {
  const baseDir = folder.replace(/\/$/, "");
  const result = await cruise(folders, { ...configuration.options, ...options, validate: true, baseDir });
  return result.output.summary;
}

/** The names of the rules that a tree with one violation of each does not trip. */
async function unseenRules() {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-boundaries-"));
  try {
    plant(folder);
    const { found } = await violations(folder, packages);
    const seen = new Set(found.map(({ rule }) => rule.name));
    return configuration.forbidden.map(({ name }) => name).filter((name) => !seen.has(name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function plant(folder) {
  write(
    join(folder, "package.json"),
    JSON.stringify({ workspaces: packages, devDependencies: { vitest: "*" } }),
  );
  for (const [path, source] of Object.entries(planted)) write(join(folder, path), source);
  for (const name of [
    "undici",
    "zod",
    "postgres",
    "express",
    "lodash",
    "vitest",
    "@kubernetes/client-node",
  ]) {
    // As most real packages: the entry is in a folder that is also the name of our own builds.
    write(
      join(folder, "node_modules", name, "package.json"),
      JSON.stringify({ name, main: "dist/index.js" }),
    );
    write(join(folder, "node_modules", name, "dist/index.js"), "");
  }
  for (const name of packages) plantPackage(folder, name);
}

function plantPackage(folder, name) {
  const dependencies = { undici: "*", zod: "*", postgres: "*", express: "*", "@kubernetes/client-node": "*" };
  const manifest = {
    name: `@glovebox/${name}`,
    exports: { ".": { source: "./src/index.ts" } },
    dependencies,
  };
  write(join(folder, name, "package.json"), JSON.stringify(manifest));
  const link = join(folder, "node_modules/@glovebox", name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(folder, name), link);
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const unseen = await unseenRules();
const { totalCruised, found } = await violations(root, [...packages, ...outsiders]);
for (const name of unseen) console.log(`self-test: a planted violation of ${name} was not seen`);
for (const { rule, from, to } of found) console.log(`${rule.name}: ${from} → ${to}`);
if (totalCruised === 0) console.log("self-test: no module was read");
console.log(`${totalCruised} modules, ${found.length} violations`);
if (unseen.length > 0 || found.length > 0 || totalCruised === 0) process.exitCode = 1;
