// Bundles what ships into dist/: `build.mjs [FOLDER]`. No dependencies until something must be built: every start of the command asks.
import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { asciiOnly } from "./build/ascii.mjs";
import { shipAssets } from "./build/assets.mjs";
import { buildDashboard, removeStale } from "./build/dashboard.mjs";
import { thirdPartyLicenses } from "./build/licenses.mjs";
import { builtinsWhenUsed, compileScanner, scannerStyle } from "./build/scanner.mjs";

const packages = [
  "contract",
  "domain",
  "scan-run",
  "report",
  "egress",
  "settings",
  "store",
  "kube",
  "k8s",
  "api",
  "controller",
  "scanner-job",
  "demo",
  "cli",
];
const entryPoints = {
  glovebox: "cli/src/main.ts",
  api: "api/src/main.ts",
  controller: "controller/src/main.ts",
  canary: "controller/src/canary/main.ts",
  "outcome-worker": "scan-run/src/outcome-worker.ts",
  "report-worker": "api/src/reports/report-worker.ts",
  "scanner-job": "scanner-job/src/main.ts",
  "spec-worker": "scanner-job/src/inventory/spec-worker.ts",
};

// What bundled CommonJS packages expect of the scope around them.
const banner = `const { createRequire: bundleCreateRequire } = process.getBuiltinModule("node:module");
const { fileURLToPath: bundleFileURLToPath } = process.getBuiltinModule("node:url");
const require = bundleCreateRequire(import.meta.url);
const __filename = bundleFileURLToPath(import.meta.url);
const __dirname = process.getBuiltinModule("node:path").dirname(__filename);`;

/** Options of esbuild for everything that runs bundled. */
export const bundleStyle = {
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node24",
  format: "esm",
  conditions: ["source"],
  // Less to parse at every start; the names in stack traces and the source maps stay.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 500,
  sourcemap: "linked",
  sourcesContent: false,
  legalComments: "none", // dist/third-party-licenses.txt has them
  logLevel: "silent",
  banner: { js: banner },
  metafile: true,
  plugins: [builtinsWhenUsed, asciiOnly],
};

/**
 * Leaves dist/ as the sources describe it. Does nothing when no source, lockfile or build script is newer than the last build.
 * `root` is the file URL of the repository, with a trailing slash. Throws esbuild's errors when the sources do not compile.
 * The bundlers run in a separate process: a service that builds before it serves would keep 300 MiB of theirs.
 */
export async function ensureBuilt(root) {
  const folder = fileURLToPath(root);
  if (isFresh(folder)) return;
  const command = [fileURLToPath(import.meta.url), folder];
  await promisify(execFile)(process.execPath, command).catch(({ stderr, message }) => {
    throw new Error(stderr?.trim() || message);
  });
}

function isFresh(folder) {
  const built = statSync(join(folder, "dist/.built"), { throwIfNoEntry: false })?.mtimeMs;
  return built !== undefined && inputs(folder).every((path) => statSync(path).mtimeMs < built);
}

/** Files and folders whose change requires another bundle; the time of a folder changes with added and removed files. */
function* inputsOf(path) {
  if (!existsSync(path)) return;
  yield path;
  if (!statSync(path).isDirectory()) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* inputsOf(join(path, entry.name));
    else if (!/\.test\.tsx?$/.test(entry.name)) yield join(path, entry.name);
  }
}

function inputs(folder) {
  const sources = packages.flatMap((name) => [`${name}/src`, `${name}/package.json`]);
  const others = [
    "package-lock.json",
    ...["src", "index.html", "package.json", "vite.config.ts"].map((path) => `dashboard/${path}`),
    "store/migrations",
    "store/sql",
    ...[
      "build",
      "build/ascii",
      "build/assets",
      "build/dashboard",
      "build/licenses",
      "build/scanner",
      "build/compile-scanner",
      "build/scanner-start",
    ].map((name) => `scripts/${name}.mjs`),
  ];
  return [...sources, ...others].flatMap((path) => [...inputsOf(join(folder, path))]);
}

async function build(folder) {
  const started = new Date();
  const { build: bundle } = await import("esbuild");
  mkdirSync(join(folder, "dist"), { recursive: true });
  const staging = mkdtempSync(join(folder, "dist/.staging-"));
  const assets = new Map();
  try {
    const { "scanner-job": scanner, ...modules } = entriesOf(folder);
    const options = { ...bundleOptions(folder, assets), outdir: staging };
    const bundles = [await bundle({ ...options, entryPoints: modules })];
    if (scanner) {
      const style = scannerStyle(options.plugins);
      bundles.push(await bundle({ ...options, ...style, entryPoints: { "scanner-job": scanner } }));
      await compileScanner(staging);
    }
    const metafiles = bundles.map(({ metafile }) => metafile);
    if (existsSync(join(folder, "dashboard/index.html")))
      metafiles.push(await buildDashboard(folder, join(staging, "dashboard")));
    writeFileSync(join(staging, "third-party-licenses.txt"), thirdPartyLicenses(folder, metafiles));
    for (const [target, source] of assets) copyInto(source, join(staging, target));
    publish(staging, join(folder, "dist"));
    markBuilt(join(folder, "dist"), started);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function entriesOf(folder) {
  const entries = Object.entries(entryPoints).filter(([, source]) => existsSync(join(folder, source)));
  return Object.fromEntries(entries);
}

function bundleOptions(folder, assets) {
  return {
    absWorkingDir: folder,
    ...bundleStyle,
    plugins: [...bundleStyle.plugins, shipAssets({ folder, packages, entryPoints, assets })],
  };
}

function copyInto(source, target) {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
}

/** Moves file by file: a rename replaces whole files only, so a build at the same time leaves no torn one. */
function publish(staging, dist) {
  if (existsSync(join(staging, "dashboard")))
    removeStale(join(staging, "dashboard"), join(dist, "dashboard"));
  for (const path of filesIn(staging)) {
    const target = join(dist, relative(staging, path));
    mkdirSync(dirname(target), { recursive: true });
    renameSync(path, target);
  }
}

function filesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Dated with the start of the build, so that a source saved while it ran counts as newer. */
function markBuilt(dist, started) {
  writeFileSync(join(dist, ".built"), "");
  utimesSync(join(dist, ".built"), started, started);
}

async function main() {
  const started = performance.now();
  await build(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
  console.log(`dist/ built in ${Math.round(performance.now() - started)} ms`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
