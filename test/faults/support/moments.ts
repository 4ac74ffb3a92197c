/** Points of a scan's life at which something is made to die. */
export const TRANSITIONS = [
  "accepted",
  "resolved",
  "policy made",
  "Job made",
  "pod running",
  "report printed",
  "recorded",
  "tidied up",
] as const;
export type Transition = (typeof TRANSITIONS)[number];

/** What the rules of the controller are about to do, by the name of the rule or of the question. */
const BY_RULE: Readonly<Record<string, Transition>> = {
  resolveTarget: "resolved",
  policyBeforePod: "policy made",
  startJob: "Job made",
  readReport: "report printed",
  done: "recorded",
  reportRecorded: "tidied up",
};

const PATIENCE_MS = 120_000;

/** Tells of scans that reach a point of their lives, as soon as that is seen. */
export class Moments {
  readonly #seen = new Set<string>();
  readonly #over = new Set<string>();
  readonly #waiting = new Set<{ readonly transition: Transition; found(scanId: string): void }>();

  /** Scans whose end was decided on. */
  get over(): number {
    return this.#over.size;
  }

  /** Takes a line of a controller's log. */
  onLine(line: string): void {
    const [, scanId, rule] = /"scan":"(scan-\w+)","rule":"(\w+)".*"msg":"decided"/.exec(line) ?? [];
    if (scanId === undefined || rule === undefined) return;
    if (!this.#seen.has(scanId)) {
      this.#seen.add(scanId);
      this.note("accepted", scanId);
    }
    const transition = BY_RULE[rule];
    if (transition) this.note(transition, scanId);
    if (transition === "tidied up") this.#over.add(scanId);
  }

  note(transition: Transition, scanId: string): void {
    for (const waiting of this.#waiting) if (waiting.transition === transition) waiting.found(scanId);
  }

  /** The id of the next scan that gets there; none when none does for long. */
  next(transition: Transition): Promise<string | undefined> {
    return new Promise((resolve) => {
      const end = (scanId?: string): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(scanId);
      };
      const timer = setTimeout(end, PATIENCE_MS);
      const waiting = { transition, found: end };
      this.#waiting.add(waiting);
    });
  }
}
