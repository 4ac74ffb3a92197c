import { withTimeout } from "@glovebox/domain";
import { type Clock, systemClock } from "@glovebox/kube";

/** One part of a shutdown. */
export interface ShutdownStep {
  readonly name: string;
  /** After so long the next step begins, whether or not this one has ended. */
  readonly boundMs: number;
  readonly run: () => Promise<unknown>;
}

/** How long a step took, in milliseconds, and whether it ended by itself. */
export interface EndedStep {
  readonly step: string;
  readonly ms: number;
  readonly how: "done" | "failed" | "overdue";
  readonly error?: unknown;
}

/**
 * Runs the steps one after another, each within its bound: none that hangs or fails keeps the next from being run. So the
 * whole takes no longer than the sum of the bounds.
 */
export async function shutDown(
  steps: readonly ShutdownStep[],
  onEnded: (step: EndedStep) => void,
  clock: Clock = systemClock,
): Promise<void> {
  for (const { name: step, boundMs, run } of steps) {
    const startedAt = clock.monotonic();
    const bound = { ms: boundMs, error: () => new Overdue(), after: clock.after };
    const end = await withTimeout(run(), bound).then(
      () => ({ how: "done" }) as const,
      (error: unknown) =>
        error instanceof Overdue ? ({ how: "overdue" } as const) : ({ how: "failed", error } as const),
    );
    onEnded({ step, ms: Math.round(clock.monotonic() - startedAt), ...end });
  }
}

class Overdue extends Error {}
