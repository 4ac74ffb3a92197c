// `npm run generate`: writes the documents that are made from code. With --check it writes nothing and fails if one would change.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildOpenApiDocument } from "@glovebox/api";
import { settingsPage } from "@glovebox/cli";
import { CHECKS } from "@glovebox/scanner-job";
import { checkPage, checksIndexPage } from "./pages/checks.ts";
import { scoringPage } from "./pages/scoring.ts";

const docs = fileURLToPath(new URL("../docs", import.meta.url));

/** Path under docs/ → content. */
function documents() {
  return new Map([
    ["openapi.json", `${JSON.stringify(buildOpenApiDocument(), null, 2)}\n`],
    ["settings.md", settingsPage()],
    ["scoring.md", scoringPage()],
    ["checks/README.md", checksIndexPage(CHECKS)],
    ...CHECKS.map((check) => [`checks/${check.id}.md`, checkPage(check)]),
  ]);
}

/** Pages of checks that are no more. */
function leftovers(wanted) {
  const folder = join(docs, "checks");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map(({ parentPath, name }) => relative(docs, join(parentPath, name)))
    .filter((path) => !wanted.has(path));
}

const isCurrent = (path, content) =>
  existsSync(join(docs, path)) && readFileSync(join(docs, path), "utf8") === content;

function write(path, content) {
  mkdirSync(dirname(join(docs, path)), { recursive: true });
  writeFileSync(join(docs, path), content);
}

const wanted = documents();
const stale = [...wanted].filter(([path, content]) => !isCurrent(path, content));
const gone = leftovers(wanted);
for (const path of [...stale.map(([path]) => path), ...gone]) console.log(`docs/${path}`);

if (process.argv.includes("--check")) {
  process.exitCode = stale.length + gone.length > 0 ? 1 : 0;
} else {
  for (const [path, content] of stale) write(path, content);
  for (const path of gone) rmSync(join(docs, path));
}
console.log(`${wanted.size} documents, ${stale.length + gone.length} changed`);
