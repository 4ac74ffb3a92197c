import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { dirname } from "node:path";
import {
  FrameLines,
  MAX_LOG_BYTES,
  failureOf,
  frameOf,
  type DeliveredOutcome,
  type FailedAttempt,
  type Frame,
  type OutcomeReader,
  type PlanFrame,
  type ProgressFrame,
} from "@glovebox/scan-run";
import { isCrashByTarget, type NotedWrite, type ScanOrder } from "@glovebox/contract";
import { confinedArguments, SCANNER_ENVIRONMENT, type ScannerProgram } from "./program.ts";

export interface ScannerRun {
  readonly order: ScanOrder;
  readonly onProgress: (frame: ProgressFrame) => void;
  /** Told of each write of an active scan before it is sent, and of each change. */
  readonly onWrite?: ((write: NotedWrite) => void) | undefined;
  /** Told of each line of the plan, where the order asks for one. */
  readonly onPlan?: (frame: PlanFrame) => void;
  /** Aborted: the scanner is killed immediately. */
  readonly signal: AbortSignal;
}

export interface ScannerDeps {
  readonly program: ScannerProgram;
  /** Node of version 24 or later. */
  readonly node: string;
  /** Milliseconds beyond the order's deadline after which a scanner that still runs is killed. */
  readonly graceMs: number;
  /** Milliseconds that an active scan has to delete what it created, once it is told to end. */
  readonly cleanUpMs?: number;
  readonly outcomes: Pick<OutcomeReader, "read">;
  /** Receives what a scanner wrote to stderr, cut to `STDERR_BYTES`: for the operator's log only. */
  readonly onStderr: (scanId: string, text: string) => void;
}

/** How one run of the scanner ended. */
export type RunEnding =
  | { readonly how: "delivered"; readonly outcome: DeliveredOutcome }
  | FailedAttempt
  /** The outcome of an active scan that has cleaned up. */
  | { readonly how: "aborted"; readonly outcome?: DeliveredOutcome };

/** The outcome of a scan by the end of its last run. */
export const outcomeOfRun = (ending: Exclude<RunEnding, { how: "aborted" }>): DeliveredOutcome =>
  ending.how === "delivered" ? ending.outcome : { status: "failed", failure: failureOf(ending) };

const STDERR_BYTES = 8 * 1024;

/** Runs one order in a confined child process. Never rejects: every failure of the child is a `RunEnding`. */
export async function runScanner(run: ScannerRun, deps: ScannerDeps): Promise<RunEnding> {
  if (run.signal.aborted) return { how: "aborted" };
  // Node lets a worker that is started from code read the working directory, so it must contain nothing else.
  const cwd = dirname(deps.program.file);
  const child = spawn(deps.node, confinedArguments(deps.program), {
    env: SCANNER_ENVIRONMENT,
    cwd,
    stdio: "pipe",
  });
  const stopped = stopWhenDue(child, run, deps);
  const output = takeOutput(child, run);
  const stderr = readStderr(child);
  giveOrder(child, run.order);

  await closed(child);
  if (stderr().length > 0) deps.onStderr(run.order.scanId, stderr());
  const reason = stopped();
  const { log, isTooMuch } = output();
  if (reason === "aborted" && run.order.mode === "active" && !isTooMuch) {
    const last = await decodedEnding(log, deps.outcomes);
    return { how: "aborted", ...(last.how === "delivered" && { outcome: last.outcome }) };
  }
  if (reason) return { how: reason };
  const ending: RunEnding = isTooMuch ? { how: "lost" } : await decodedEnding(log, deps.outcomes);
  const isByTarget = isCrashByTarget({ exitCode: child.exitCode, signal: child.signalCode });
  return ending.how === "crashed" && isByTarget ? { how: "exhausted" } : ending;
}

/** Milliseconds that an active scan has to delete what it created, once it is told to end. */
const CLEAN_UP_MS = 35_000;

/**
 * Kills the child on abort and past its deadline; the returned function stops watching and returns which it was. An active scan is
 * told to end first.
 */
function stopWhenDue(
  child: ChildProcessWithoutNullStreams,
  { order, signal }: ScannerRun,
  deps: ScannerDeps,
) {
  let reason: "aborted" | "overran" | undefined;
  let cleanUp: NodeJS.Timeout | undefined;
  const stop = (why: "aborted" | "overran") => {
    if (child.exitCode !== null) return;
    if (why === "aborted" && order.mode === "active" && reason === undefined) {
      child.kill("SIGTERM");
      cleanUp = setTimeout(() => child.kill("SIGKILL"), deps.cleanUpMs ?? CLEAN_UP_MS);
    } else child.kill("SIGKILL");
    reason ??= why;
  };
  const abort = () => stop("aborted");
  signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => stop("overran"), order.limits.deadlineSeconds * 1000 + deps.graceMs);
  return () => {
    clearTimeout(timer);
    clearTimeout(cleanUp);
    signal.removeEventListener("abort", abort);
    return reason;
  };
}

/** Keeps what the child prints, and passes its progress on. A child that prints too much is killed. */
function takeOutput(
  child: ChildProcessWithoutNullStreams,
  run: Pick<ScannerRun, "onProgress" | "onWrite" | "onPlan">,
) {
  const lines = new FrameLines();
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    if (bytes > MAX_LOG_BYTES || lines.isOver) return;
    bytes += chunk.length;
    chunks.push(chunk);
    for (const line of lines.push(chunk)) {
      handOn(frameOf(line), run);
    }
    if (bytes > MAX_LOG_BYTES || lines.isOver) child.kill("SIGKILL");
  });
  return () => ({ log: Buffer.concat(chunks), isTooMuch: bytes > MAX_LOG_BYTES });
}

function handOn(
  frame: Frame | undefined,
  { onProgress, onWrite, onPlan }: Pick<ScannerRun, "onProgress" | "onWrite" | "onPlan">,
): void {
  if (frame?.frame === "progress") onProgress(frame);
  else if (frame?.frame === "write") onWrite?.(frame.write);
  else if (frame?.frame === "plan") onPlan?.(frame);
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

async function decodedEnding(
  log: Buffer<ArrayBuffer>,
  outcomes: ScannerDeps["outcomes"],
): Promise<RunEnding> {
  const reading = await outcomes.read({ log }).catch(() => ({ is: "cut" }) as const);
  switch (reading.is) {
    case "whole":
      return { how: "delivered", outcome: reading.outcome };
    case "malformed":
      return { how: "malformed", detail: reading.detail };
    case "unfinished":
      return { how: "crashed" };
    case "cut":
      return { how: "lost" };
  }
}
