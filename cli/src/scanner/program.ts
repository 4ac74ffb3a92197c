import { fileURLToPath } from "node:url";

/** The scanner as it is started: a file, and what its process may read. */
export interface ScannerProgram {
  readonly file: string;
  /** The only files and folders that Node's permission model lets it read. */
  readonly readable: readonly string[];
  /** True when it runs from TypeScript sources, as in development. */
  readonly fromSource: boolean;
}

const HEAP_MIB = 192;

/** The scanner that belongs to this command: its bundle beside ours, or its source beside ours. */
export function ownScanner(): ScannerProgram {
  const file = fileURLToPath(new URL("../../../scanner-job/src/main.ts", import.meta.url));
  const specWorker = fileURLToPath(
    new URL("../../../scanner-job/src/inventory/spec-worker.ts", import.meta.url),
  );
  const fromSource = file.endsWith(".ts");
  const repository = fileURLToPath(new URL("../../..", import.meta.url));
  return { file, readable: fromSource ? [repository] : [file, specWorker], fromSource };
}

/**
 * Arguments of a Node process that is confined to scanning: it reads its own program and nothing else, writes no
 * file and starts no process. Workers are allowed: the spec document is parsed in one, under the same denials.
 */
export const confinedArguments = ({ file, readable, fromSource }: ScannerProgram): string[] => [
  "--permission",
  ...readable.map((path) => `--allow-fs-read=${path}`),
  "--allow-worker",
  `--max-old-space-size=${HEAP_MIB}`,
  "--disable-warning=SecurityWarning",
  ...(fromSource ? ["--conditions=source"] : []),
  file,
];
