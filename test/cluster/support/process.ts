import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A program of this repository as a process on this machine. */
export interface RunningProcess {
  readonly pid: number;
  /** The lines of its stderr so far. */
  readonly lines: readonly string[];
  /** The first group of `ready` in the line that matched. */
  readonly readyMatch: string;
  /** Its exit code, null after a signal. */
  readonly ended: Promise<number | null>;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

export interface ProcessOptions {
  /** A module in TypeScript. */
  readonly program: string;
  /** A module to load before it. */
  readonly preload?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Matches the line of stderr that says that it is ready. */
  readonly ready: RegExp;
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Starts a program and waits until it is ready. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { program, preload, env, ready, onLine } = options;
  const loaded = preload === undefined ? [] : [`--import=${preload}`];
  const child = spawn(process.execPath, ["--conditions=source", ...loaded, program], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines: string[] = [];
  const ended = once(child, "close").then(([code]) => code as number | null);
  const found = Promise.withResolvers<string>();
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    const [, match] = ready.exec(line) ?? [];
    if (match !== undefined) found.resolve(match);
    onLine?.(line);
  });
  const failed = ended.then(() => {
    throw new Error(`${program} ended before it was ready:\n${lines.join("\n")}`);
  });
  const readyMatch = await Promise.race([found.promise, failed]);
  failed.catch(() => undefined);
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid!,
    lines,
    readyMatch,
    ended,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}
