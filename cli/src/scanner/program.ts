import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The scanner as it is started: a file, and what its process may read. */
export interface ScannerProgram {
  readonly file: string;
  /** The only files and folders that Node's permission model lets it read. */
  readonly readable: readonly string[];
  /** True when it runs from TypeScript sources, as in development. */
  readonly fromSource: boolean;
}

const OLD_SPACE_MIB = 128;
/** Three of them are held at the worst; Node's own 16 would add half as much again to what a hostile target can make it hold. */
const SEMI_SPACE_MIB = 4;

/** The scanner that belongs to this command: its bundle beside ours, or its source beside ours. */
export function ownScanner(): ScannerProgram {
  const file = fileURLToPath(new URL("../../../scanner-job/src/main.ts", import.meta.url));
  if (!file.endsWith(".ts")) return bundledScanner(dirname(file));
  return { file, readable: [fileURLToPath(new URL("../../..", import.meta.url))], fromSource: true };
}

/** The bundle that the build leaves in a folder: the start, the code as text and compiled, and the reader of documents. */
export function bundledScanner(folder: string): ScannerProgram {
  const names = ["scanner-job.mjs", "scanner-job.bundle.cjs", "scanner-job.cache", "spec-worker.mjs"];
  const [file, ...others] = names.map((name) => join(folder, name)) as [string, ...string[]];
  return { file, readable: [file, ...others], fromSource: false };
}

/**
 * Arguments of a Node process that is confined to scanning: it reads its own program and nothing else, writes no
 * file and starts no process. Workers are allowed: the spec document is parsed in one, under the same denials.
 */
export const confinedArguments = ({ file, readable, fromSource }: ScannerProgram): string[] => [
  "--permission",
  ...readable.map((path) => `--allow-fs-read=${path}`),
  "--allow-worker",
  `--max-old-space-size=${OLD_SPACE_MIB}`,
  `--max-semi-space-size=${SEMI_SPACE_MIB}`,
  "--disable-warning=SecurityWarning",
  ...(fromSource ? ["--conditions=source"] : []),
  file,
];
