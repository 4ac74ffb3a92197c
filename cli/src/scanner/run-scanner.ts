import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { dirname } from "node:path";
import {
  FrameReader,
  MAX_OUTCOME_BYTES,
  type Outcome,
  type ProgressFrame,
  type ScanOrder,
} from "@glovebox/contract";
import { BoundedLines } from "./bounded-lines.ts";
import { confinedArguments, type ScannerProgram } from "./program.ts";

export interface ScannerRun {
  readonly order: ScanOrder;
  readonly onProgress: (frame: ProgressFrame) => void;
  /** Aborted: the scanner is killed at once. */
  readonly signal: AbortSignal;
}

export interface ScannerDeps {
  readonly program: ScannerProgram;
  /** Node of version 24 or later. */
  readonly node: string;
  /** Milliseconds beyond the order's deadline after which a scanner that still runs is killed. */
  readonly graceMs: number;
  /** Told what a scanner wrote on stderr, cut to `STDERR_BYTES`: for the operator's log and nobody else. */
  readonly onStderr: (scanId: string, text: string) => void;
}

/** How one run of the scanner ended. */
export type RunEnding =
  | { readonly how: "delivered"; readonly outcome: Outcome }
  | { readonly how: "crashed" | "lost" | "overran" | "aborted" };

const LINE_BYTES = 256 * 1024;
const TOTAL_BYTES = MAX_OUTCOME_BYTES + 15 * 1024 * 1024; // the rest is progress
const STDERR_BYTES = 8 * 1024;

/** Carries out one order in a confined child process. Never rejects: whatever happens to the child is an ending. */
export async function runScanner(run: ScannerRun, deps: ScannerDeps): Promise<RunEnding> {
  if (run.signal.aborted) return { how: "aborted" };
  // Node lets a worker that is given code instead of a file read the working directory: it must hold nothing else.
  const cwd = dirname(deps.program.file);
  const child = spawn(deps.node, confinedArguments(deps.program), { env: {}, cwd, stdio: "pipe" });
  const stopped = stopWhenDue(child, run, deps);
  const reader = new FrameReader(run.onProgress);
  const flooded = readLines(child, reader);
  const stderr = readStderr(child);
  giveOrder(child, run.order);

  await closed(child);
  if (stderr().length > 0) deps.onStderr(run.order.scanId, stderr());
  const reason = stopped();
  if (reason) return { how: reason };
  return flooded() ? { how: "lost" } : whatItDelivered(reader);
}

/** Kills the child on abort and past its deadline; the returned function stops watching and says which it was. */
function stopWhenDue(
  child: ChildProcessWithoutNullStreams,
  { order, signal }: ScannerRun,
  deps: ScannerDeps,
) {
  let reason: "aborted" | "overran" | undefined;
  const stop = (why: "aborted" | "overran") => {
    if (child.exitCode !== null) return;
    reason ??= why;
    child.kill("SIGKILL");
  };
  const abort = () => stop("aborted");
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => stop("overran"), order.limits.deadlineSeconds * 1000 + deps.graceMs);
  return () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    return reason;
  };
}

/** Feeds the reader; a child that says too much is killed, and the returned function says so. */
function readLines(child: ChildProcessWithoutNullStreams, reader: FrameReader): () => boolean {
  let flooded = false;
  const lines = new BoundedLines({ line: LINE_BYTES, total: TOTAL_BYTES }, (line) => reader.line(line));
  child.stdout.on("data", (chunk: Buffer) => {
    if (flooded || lines.push(chunk)) return;
    flooded = true;
    child.kill("SIGKILL");
  });
  child.stdout.on("end", () => flooded || lines.end());
  return () => flooded;
}

function readStderr(child: ChildProcessWithoutNullStreams): () => string {
  let kept = Buffer.alloc(0);
  child.stderr.on("data", (chunk: Buffer) => {
    if (kept.length < STDERR_BYTES) kept = Buffer.concat([kept, chunk]).subarray(0, STDERR_BYTES);
  });
  return () => kept.toString();
}

function giveOrder(child: ChildProcessWithoutNullStreams, order: ScanOrder): void {
  child.stdin.on("error", () => {}); // a child that died before it read its order ends as crashed
  child.stdin.end(JSON.stringify(order));
}

const closed = (child: ChildProcessWithoutNullStreams): Promise<void> =>
  new Promise((resolve) => {
    child.once("error", () => child.pid === undefined && resolve()); // it could not be started at all
    child.once("close", () => resolve());
  });

function whatItDelivered(reader: FrameReader): RunEnding {
  const outcome = reader.outcome();
  if (outcome.status === "completed") return { how: "delivered", outcome };
  if (outcome.failure.code === "scanner_crashed") return { how: "crashed" };
  if (outcome.failure.code === "result_lost") return { how: "lost" };
  return { how: "delivered", outcome };
}
