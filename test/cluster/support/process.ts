import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A program of ours as a process on this machine. */
export interface RunningProcess {
  readonly pid: number;
  /** What it has said on stderr. */
  readonly lines: readonly string[];
  /** The first group of `ready`. */
  readonly said: string;
  /** Its exit code, null after a signal. */
  readonly ended: Promise<number | null>;
  /** SIGTERM, in good order; gives the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: no chance to tidy up. */
  kill(): Promise<void>;
}

export interface ProcessOptions {
  /** A module in TypeScript. */
  readonly program: string;
  /** A module to load before it. */
  readonly preload?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The line by which it says that it is ready. */
  readonly ready: RegExp;
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Starts it and waits until it says that it is ready. */
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
    const [, said] = ready.exec(line) ?? [];
    if (said !== undefined) found.resolve(said);
    onLine?.(line);
  });
  const gone = ended.then(() => {
    throw new Error(`It ended before it was ready: ${program}\n${lines.join("\n")}`);
  });
  const said = await Promise.race([found.promise, gone]);
  gone.catch(() => undefined);
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid!,
    lines,
    said,
    ended,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}
