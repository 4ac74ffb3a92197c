// Runs Vitest and counts.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../..", import.meta.url);
/** Files that a summary names. */
const SLOWEST = 20;

/** Prints the slowest files, each failure and the summary, by which a run of several suites is added up, and sets the exit code. */
export function conclude({ code, passed, failed, skipped, failures = [], files = [] }) {
  for (const { seconds, name } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  for (const failure of failures) console.log(`FAILED ${failure}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = code === 0 && failed === 0 ? 0 : 1;
}

/**
 * Vitest's exit code, how many tests passed, failed and were skipped, each failure in one line, and the time of each file; a run that
 * died counts as a failure.
 */
export async function runVitest(options, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-test-"));
  const file = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...reporters, ...options];
  const child = spawn(process.execPath, vitest, {
    cwd: fileURLToPath(root),
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  try {
    const code = await new Promise((resolve) => child.on("close", (status) => resolve(status ?? 1)));
    const report = readReport(file);
    return { code, ...tally(report, code), failures: failuresIn(report, code), files: timesIn(report) };
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

const hasFailed = ({ status }) => status === "failed";
/** A file that could not be loaded, or whose hooks failed. */
const isUnloadable = (file) => hasFailed(file) && !file.assertionResults.some(hasFailed);

/** Counts tests; an unloadable file, or an error outside any test, counts as one failure. */
function tally(report, code) {
  const failed = (report?.numFailedTests ?? 0) + (report?.testResults ?? []).filter(isUnloadable).length;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: code === 0 ? failed : Math.max(failed, 1),
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

const timesIn = (report) =>
  (report?.testResults ?? []).map((file) => ({
    name: nameOf(file),
    seconds: (file.endTime - file.startTime) / 1000,
  }));

const nameOf = (file) => relative(fileURLToPath(root), file.name);

function failuresIn(report, code) {
  if (code === 0) return [];
  const failures = (report?.testResults ?? []).flatMap((file) => {
    const name = nameOf(file);
    const tests = file.assertionResults.filter(hasFailed);
    return [
      ...(isUnloadable(file) ? [`${name}: ${firstLine(file.message)}`] : []),
      ...tests.map(
        ({ fullName, failureMessages }) => `${name} > ${fullName}: ${firstLine(failureMessages[0])}`,
      ),
    ];
  });
  return failures.length > 0 ? failures : ["outside any test: see above"];
}

const firstLine = (message = "") => message.split("\n", 1)[0];
