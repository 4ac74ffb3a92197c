import { Worker } from "node:worker_threads";
import { Turns } from "../limits/turns.ts";
import type { ReportTasks } from "./report-tasks.ts";
import type { TaskRequest, TaskResult } from "./report-worker.ts";

interface WorkerLimits {
  readonly threads?: number;
  readonly maxWaiting?: number;
  /** Of one task. */
  readonly deadlineMs?: number;
  /** After so long without a task, the threads end. */
  readonly idleMs?: number;
}

/** The worker's source; the build replaces it with the path of the bundled worker. */
const WORKER = new URL("./report-worker.ts", import.meta.url);
/** The largest report, parsed and printed, takes about 100 MiB. */
const RESOURCES = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 };
const REFUSAL = "Too many reports are processed at this moment. Try again in a few seconds.";

/** Runs tasks on reports. */
export interface ReportRunner {
  /** `load` gives the input of the task when it is its turn, so that no report is in memory while it waits. */
  run<Name extends keyof ReportTasks>(
    accountId: string,
    name: Name,
    load: () => Promise<TaskRequest<Name>["input"]>,
  ): Promise<ReturnType<ReportTasks[Name]>>;
}

/**
 * Runs tasks on reports in worker threads, one for each thread at a time. Accounts take turns, regardless of how many tasks wait in
 * each. Threads start when they are needed, and end when they are not.
 */
export class ReportWorkers implements ReportRunner {
  readonly #turns: Turns;
  readonly #deadlineMs: number;
  readonly #idleMs: number;
  /** Without a task; the last one is used next. */
  readonly #idle: Worker[] = [];
  #idleTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ threads = 1, maxWaiting = 100, deadlineMs = 30_000, idleMs = 10_000 }: WorkerLimits = {}) {
    this.#turns = new Turns({ atOnce: threads, maxWaiting, refusal: REFUSAL });
    this.#deadlineMs = deadlineMs;
    this.#idleMs = idleMs;
  }

  /**
   * @throws ApiError `unavailable` when too many tasks wait
   * @throws Error when the task threw, or its thread died or took too long
   */
  async run<Name extends keyof ReportTasks>(
    accountId: string,
    name: Name,
    load: () => Promise<TaskRequest<Name>["input"]>,
  ): Promise<ReturnType<ReportTasks[Name]>> {
    await this.#turns.begin({ lane: accountId });
    try {
      const result = await this.#result({ name, input: await load() });
      if ("error" in result) throw new Error(`The report task ${name} failed: ${result.error}`);
      return result.value as ReturnType<ReportTasks[Name]>;
    } finally {
      this.#turns.end();
    }
  }

  async #result(request: TaskRequest): Promise<TaskResult> {
    clearTimeout(this.#idleTimer);
    const worker = this.#idle.pop() ?? startedWorker();
    worker.ref();
    try {
      const result = await resultOf(worker, request, this.#deadlineMs);
      worker.unref();
      this.#idle.push(worker);
      return result;
    } catch (error) {
      await worker.terminate();
      throw new Error(`The thread of the report task ${request.name} exited`, { cause: error });
    } finally {
      if (this.#isClosed) await this.#endIdle();
      else this.#idleTimer = setTimeout(() => void this.#endIdle(), this.#idleMs).unref();
    }
  }

  async #endIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((worker) => worker.terminate()));
  }

  /** Ends the threads; one with a task ends after it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    await this.#endIdle();
  }
}

/** An error of a thread without a task must not end the process. */
const startedWorker = (): Worker =>
  new Worker(WORKER, { resourceLimits: RESOURCES, env: {} }).on("error", () => undefined);

async function resultOf(worker: Worker, request: TaskRequest, deadlineMs: number): Promise<TaskResult> {
  const { promise, resolve, reject } = Promise.withResolvers<TaskResult>();
  const onExit = (): void => reject(new Error("The thread exited"));
  const timer = setTimeout(() => reject(new Error("It took too long")), deadlineMs);
  worker.on("message", resolve).on("error", reject).on("exit", onExit);
  try {
    worker.postMessage(request);
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", reject).off("exit", onExit);
  }
}
