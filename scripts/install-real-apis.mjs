// Installs the APIs that test/real-apis scans: a separate project, so that other installs do not include them.
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Runs `npm ci` in test/real-apis when its node_modules is missing or older than its lockfile; `root` is the repository.
 * Throws with npm's first line of error, as when no registry can be reached.
 */
export async function installRealApis(root) {
  const project = new URL("test/real-apis/", root);
  const installed = modifiedAt(new URL("node_modules/.package-lock.json", project)); // npm writes it last
  if (installed >= modifiedAt(new URL("package-lock.json", project))) return;

  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"];
  try {
    await run("npm", ["ci", "--prefix", fileURLToPath(project), ...flags], { cwd: fileURLToPath(project) });
  } catch (error) {
    const [reason] = `${error.stderr ?? ""}\n${error.message}`.split("\n").filter((line) => line.trim());
    throw new Error(`npm ci --prefix test/real-apis failed (${reason.trim()})`, { cause: error });
  }
}

const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1;
