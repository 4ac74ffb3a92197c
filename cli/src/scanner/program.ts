import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The program of the scanner: its file, and the files that its process may read. */
export interface ScannerProgram {
  readonly file: string;
  /** The only files and folders that Node's permission model lets it read. */
  readonly readable: readonly string[];
  /** True when it runs from TypeScript sources, as in development. */
  readonly fromSource: boolean;
}

const OLD_SPACE_MIB = 128;
/**
 * Up to three semi-spaces are allocated; the default of Node, 16, would let a hostile target use 36 MiB more. They have this size
 * from the beginning: one that grows to it is collected several times before the first request.
 */
const SEMI_SPACE_MIB = 4;

/** The scanner of this installation: the bundle in the same folder, or the source in development. */
export function ownScanner(): ScannerProgram {
  const file = fileURLToPath(new URL("../../../scanner-job/src/main.ts", import.meta.url));
  if (!file.endsWith(".ts")) return bundledScanner(dirname(file));
  return { file, readable: [fileURLToPath(new URL("../../..", import.meta.url))], fromSource: true };
}

/** The bundled scanner in a folder: the start script, the code as text and as a V8 cache, and the worker that parses documents. */
export function bundledScanner(folder: string): ScannerProgram {
  const names = ["scanner-job.mjs", "scanner-job.bundle.cjs", "scanner-job.cache", "spec-worker.mjs"];
  const [file, ...others] = names.map((name) => join(folder, name)) as [string, ...string[]];
  return { file, readable: [file, ...others], fromSource: false };
}

/** All of its environment: one malloc arena that returns free memory, as in the image of the scanner. A document of 13 MB leaves 30 MB free. */
export const SCANNER_ENVIRONMENT = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "65536" } as const;

/**
 * Arguments of a Node process that is confined to scanning: it reads its own program and nothing else, writes no
 * file and starts no process. Workers are allowed: the spec document is parsed in one, under the same denials.
 */
export const confinedArguments = ({ file, readable, fromSource }: ScannerProgram): string[] => [
  "--permission",
  ...readable.map((path) => `--allow-fs-read=${path}`),
  "--allow-worker",
  `--max-old-space-size=${OLD_SPACE_MIB}`,
  `--min-semi-space-size=${SEMI_SPACE_MIB}`,
  `--max-semi-space-size=${SEMI_SPACE_MIB}`,
  "--disable-warning=SecurityWarning",
  ...(fromSource ? ["--conditions=source"] : []),
  file,
];
