// Runs Vitest and counts.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../..", import.meta.url);

/** Prints the summary, by which a run of several suites is added up, and sets the exit code. */
export function conclude({ code, passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = code === 0 && failed === 0 ? 0 : 1;
}

/** Vitest's exit code, and how many tests passed, failed and were skipped; a run that died counts as a failure. */
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
    return { code, ...tally(readReport(file), code) };
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
