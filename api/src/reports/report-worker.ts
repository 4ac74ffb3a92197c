import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { REPORT_TASKS, type ReportTasks } from "./report-tasks.ts";

export interface TaskRequest<Name extends keyof ReportTasks = keyof ReportTasks> {
  readonly name: Name;
  readonly input: Parameters<ReportTasks[Name]>[0];
}

/** The result of a task, or the message of what it threw. */
export type TaskResult = { readonly value: unknown } | { readonly error: string };

// Requests for lists go first. Linux has a priority for each thread; elsewhere it is the priority of the process.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_LOW);

// Started by report-workers.ts, from source and from a bundle.
parentPort?.on("message", (request: TaskRequest) => parentPort?.postMessage(resultOf(request)));

function resultOf({ name, input }: TaskRequest): TaskResult {
  try {
    return { value: REPORT_TASKS[name](input as never) };
  } catch (error) {
    return { error: String(error) };
  }
}
