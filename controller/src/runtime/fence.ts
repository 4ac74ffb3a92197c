/** A write was refused because this process leads no longer. */
export class FenceLostError extends Error {
  override readonly name = "FenceLostError";

  constructor() {
    super("This controller leads no longer, so it writes nothing");
  }
}

/** The right to write, for as long as this process leads. */
export interface Fence {
  /** Aborts when the right is lost. */
  readonly signal: AbortSignal;
  /**
   * Called before each write. It asks the clock too, for a process that was paused and has not seen its timers yet.
   * @throws FenceLostError
   */
  assertHeld(): void;
}
