// Which Node runs Glovebox, and what must be installed before it can. No dependencies and syntax of Node 20: it runs before
// anything is installed.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const isNode24 = Number(process.versions.node.split(".")[0]) >= 24;

/** Installs node_modules according to package-lock.json, unless up to date. Returns the exit code of npm, which prints its errors. */
export function installDependencies(root, flags = []) {
  const installed = modifiedAt(new URL("node_modules/.package-lock.json", root)); // npm writes it last
  if (installed >= modifiedAt(new URL("package-lock.json", root))) return 0;
  console.error("Installing dependencies (npm ci); this happens once…");
  return npmCi(fileURLToPath(root), flags);
}

/** Path of a Node executable of version 24 or later, in a clone. Throws with instructions if there is none. */
export function findNode24(root) {
  if (isNode24) return process.execPath;
  const installed = executableIn(fileURLToPath(root));
  if (!existsSync(installed)) throw new Error(NEEDED);
  return installed;
}

/**
 * The same for the npm package, which carries no Node. For an older Node, the one that the lockfile in the folder
 * `manifest` names is installed into the user's cache.
 */
export function cachedNode24(manifest) {
  if (isNode24) return process.execPath;
  const { version } = JSON.parse(readFileSync(new URL("package.json", manifest), "utf8"));
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "glovebox");
  const folder = join(cache, `node-${version}`);
  if (!existsSync(executableIn(folder))) {
    console.error(`Installing Node ${version} into ${folder}; this happens once…`);
    mkdirSync(cache, { recursive: true });
    installAtomically(fileURLToPath(manifest), folder);
  }
  return executableIn(folder);
}

/** Installs into a temporary folder and renames it, so that concurrent starts never see an incomplete one. */
function installAtomically(manifest, folder) {
  const unfinished = mkdtempSync(`${folder}.`);
  try {
    cpSync(manifest, unfinished, { recursive: true });
    if (npmCi(unfinished) !== 0 || !existsSync(executableIn(unfinished))) throw new Error(NEEDED);
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const NEEDED = `Glovebox needs Node 24 and found ${process.version}; for ${process.platform}-${process.arch} install it yourself.`;

const executableIn = (folder) =>
  join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`);

function npmCi(cwd, flags = []) {
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error", ...flags];
  return spawnSync("npm", args, { cwd, stdio: ["ignore", 2, 2] }).status ?? 1;
}

const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -1;
