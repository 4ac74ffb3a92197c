// Runs `npm ci` when node_modules is missing, or older than the lockfile that describes it.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";

/** Leaves node_modules as package-lock.json describes it; exits the process with npm's code when npm fails. */
export function installDependencies(root) {
  const installed = modifiedAt(new URL("node_modules/.package-lock.json", root)); // npm writes it last
  if (installed >= modifiedAt(new URL("package-lock.json", root))) return;

  console.error("Installing dependencies (npm ci); this happens once…");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (npm.status !== 0) process.exit(npm.status ?? 1);
}

const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1;
