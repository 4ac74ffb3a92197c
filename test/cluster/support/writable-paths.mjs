// Runs in an ephemeral container of a scan pod, where the scanner is process 1. Prints as JSON the files and folders of the scanner's
// container that it can write to (it tries each), the command of the scanner, and the names of its environment variables.
import { closeSync, openSync, readdirSync, readFileSync, rmdirSync, mkdirSync, statSync } from "node:fs";

const ROOT = "/proc/1/root";
const SPECIAL = /^\/(proc|sys)$/;

const succeeds = (attempt) => {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
};

function* entriesBelow(folder) {
  yield { path: folder, isFolder: true };
  for (const entry of readdirSync(`${ROOT}${folder}`, { withFileTypes: true })) {
    const path = `${folder === "/" ? "" : folder}/${entry.name}`;
    if (entry.isDirectory() && !SPECIAL.test(path)) yield* readable(path);
    else if (entry.isFile()) yield { path, isFolder: false };
  }
}
const readable = (folder) =>
  succeeds(() => readdirSync(`${ROOT}${folder}`)) ? entriesBelow(folder) : [{ path: folder, isFolder: true }];

function isWritable({ path, isFolder }) {
  const real = `${ROOT}${path}`;
  if (!isFolder) return succeeds(() => closeSync(openSync(real, "r+")));
  const made = `${real}/made-by-a-test`;
  return succeeds(() => (mkdirSync(made), rmdirSync(made)));
}

const entries = [...entriesBelow("/")];
const environment = readFileSync("/proc/1/environ", "utf8").split("\0").filter(Boolean);
const result = {
  command: readFileSync("/proc/1/cmdline", "utf8").split("\0").filter(Boolean),
  visited: entries.map(({ path }) => path),
  writable: entries.filter(isWritable).map(({ path }) => path),
  hasToken: succeeds(() => statSync(`${ROOT}/var/run/secrets/kubernetes.io`)),
  environment: environment.map((variable) => variable.split("=")[0]),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
