/** Transitions of a scan at which faults are injected. */
export const TRANSITIONS = [
  "accepted",
  "resolved",
  "policy created",
  "Job created",
  "pod running",
  "report printed",
  "recorded",
  "cleaned up",
] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** The transition that follows a decision of the controller, by the name of the rule or query in its log. */
const BY_RULE: Readonly<Record<string, Transition>> = {
  resolveTarget: "resolved",
  policyBeforePod: "policy created",
  startJob: "Job created",
  readReport: "report printed",
  done: "recorded",
  reportRecorded: "cleaned up",
};

const TIMEOUT_MS = 120_000;

/** Finds the transitions of scans in the log of the controllers. */
export class TransitionWatch {
  readonly #seen = new Set<string>();
  readonly #ended = new Set<string>();
  readonly #waiting = new Set<{ readonly transition: Transition; found(scanId: string): void }>();

  /** Number of scans that have ended. */
  get ended(): number {
    return this.#ended.size;
  }

  /** Reads a line of a controller's log. */
  onLine(line: string): void {
    const [, scanId, rule] = /"scan":"(scan-\w+)","rule":"(\w+)".*"msg":"decided"/.exec(line) ?? [];
    if (scanId === undefined || rule === undefined) return;
    if (!this.#seen.has(scanId)) {
      this.#seen.add(scanId);
      this.note("accepted", scanId);
    }
    const transition = BY_RULE[rule];
    if (transition) this.note(transition, scanId);
    if (transition === "cleaned up") this.#ended.add(scanId);
  }

  note(transition: Transition, scanId: string): void {
    for (const waiting of this.#waiting) if (waiting.transition === transition) waiting.found(scanId);
  }

  /** The id of the next scan that reaches the transition; undefined after a timeout. */
  next(transition: Transition): Promise<string | undefined> {
    return new Promise((resolve) => {
      const end = (scanId?: string): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(scanId);
      };
      const timer = setTimeout(end, TIMEOUT_MS);
      const waiting = { transition, found: end };
      this.#waiting.add(waiting);
    });
  }
}
