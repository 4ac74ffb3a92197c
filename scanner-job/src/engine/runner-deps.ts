import type { Category } from "@glovebox/contract";
import type { Operation } from "../inventory/operation.ts";
import type { Check, Subject } from "./check.ts";
import type { CrashReporter } from "./crash.ts";
import type { ExaminerDeps } from "./examination.ts";
import type { RecordedProbe, RecorderDeps } from "./probe.ts";
import type { Supervisor } from "./supervisor.ts";

/** What a run of checks needs of its scan. */
export interface RunnerDeps extends Pick<ExaminerDeps, "profile" | "onFault"> {
  readonly checks: readonly Check[];
  /**
   * A probe for one examination of the subject; `onResponse` is called with every response, `onInterpreted` where its value may be
   * interpreted.
   */
  readonly probe: (
    examination: {
      pass: 1 | 2;
      subject: Subject;
      caller?: string | undefined;
    } & Pick<RecorderDeps, "onResponse" | "onInterpreted" | "accessTo" | "admit">,
  ) => RecordedProbe;
  /** Which of the operations that may be called are read before anything is examined. */
  readonly isRead: (operation: Operation) => boolean;
  readonly supervisor: Supervisor;
  /**
   * Requests for one operation at most; what was found is confirmed, and bursts are sent, regardless of what was sent before.
   * Undefined: the default first, and more once everything else is done.
   */
  readonly maxPerOperation: number | undefined;
  /** Remaining requests and time of the scan, as fractions of the whole. */
  readonly budget: () => { readonly requests: number; readonly time: number };
  /** Requests at which the target crashed. */
  readonly crashes: Pick<CrashReporter, "areTooMany" | "confirm">;
  /** Whether requests for the operation wait because of its rate limit. */
  readonly isPaused: (operation: Operation) => boolean;
  readonly onProgress: (category: Category, done: number, planned: number) => void;
}
