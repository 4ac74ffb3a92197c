// `npm test`: every test that needs no cluster. What is missing on this machine is named, and is an error when CI=true.
import { spawn } from "node:child_process";
import { accessSync, constants, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBuilt } from "./build.mjs";
import { installRealApis } from "./install-real-apis.mjs";

const root = new URL("..", import.meta.url);

/** Programs that some tests start; `files` are those tests, by name. `expectedIf` replaces CI=true. */
const programs = [
  { name: "redis-server", files: "**/*.redis.test.ts", install: "apt-get install redis-server" },
  { name: "chromium", files: "test/browser/**/*.test.ts", install: "apt-get install chromium" },
  {
    name: "helm",
    files: "test/chart/**/*.test.ts",
    install: "https://helm.sh/docs/intro/install",
    expectedIf: "GLOVEBOX_EXPECT_HELM", // Debian has no package of it; it comes with the cluster of the end-to-end tests
  },
];

async function test() {
  const missing = [...programs.filter(({ name }) => !isInstalled(name)), ...(await missingApis())];
  const expected = missing.filter(({ expectedIf = "CI" }) => process.env[expectedIf] === "true");
  if (expected.length > 0) return refuse(expected);

  try {
    await ensureBuilt(root);
  } catch (error) {
    console.log(error.message);
    return { code: 1, passed: 0, failed: 1, skipped: 0 };
  }
  const leftOut = missing.flatMap(testsThatNeed);
  const excluded = leftOut.flatMap(({ file }) => ["--exclude", file]);
  const { code, report } = await runVitest([...excluded, ...process.argv.slice(2)]);
  for (const { file, reason } of leftOut) console.log(`Left out: ${file}, because ${reason}.`);
  const { passed, failed, skipped } = tally(report, code);
  return { code, passed, failed, skipped: skipped + leftOut.length };
}

function refuse(missing) {
  for (const { name, files, expectedIf = "CI" } of missing)
    console.log(`${expectedIf}=true, but ${name} is missing: ${files} cannot run.`);
  return { code: 1, passed: 0, failed: missing.length, skipped: 0 };
}

function testsThatNeed({ name, files, install }) {
  const found = globSync(files, { cwd: fileURLToPath(root), exclude: ["**/node_modules/**", "**/dist/**"] });
  return found.map((file) => ({ file, reason: `${name} is not installed (${install})` }));
}

/** The APIs of other authors come from a registry; without one, the tests that scan them are left out. */
async function missingApis() {
  try {
    await installRealApis(root);
    return [];
  } catch (error) {
    console.log(error.message);
    return [
      {
        name: "json-server, verdaccio",
        files: "test/real-apis/**/*.test.ts",
        install: "npm ci --prefix test/real-apis",
      },
    ];
  }
}

function isInstalled(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => isExecutable(join(folder, program)));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Vitest's exit code and its JSON report; no report when it died before writing one. */
async function runVitest(options) {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-test-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...options];
  const child = spawn(process.execPath, vitest, { cwd: fileURLToPath(root), stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  try {
    const code = await new Promise((resolve) => child.on("close", (status) => resolve(status ?? 1)));
    return { code, report: readReport(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Counts tests; a file that could not be loaded, or an error outside any test, counts as one failure. */
function tally(report, code) {
  const files = report?.testResults ?? [];
  const unloadable = files.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some(({ status: it }) => it === "failed"),
  );
  const failed = (report?.numFailedTests ?? 0) + unloadable.length;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: code === 0 ? failed : Math.max(failed, 1),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

const { code, passed, failed, skipped } = await test();
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = code === 0 && failed === 0 ? 0 : 1;
