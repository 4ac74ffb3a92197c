/**
 * What a request to the Kubernetes API failed with. The message names the call and the outcome only: no header, body
 * or address, so that it may be logged.
 */
export class KubeFailure extends Error {
  override readonly name = "KubeFailure";
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** The `reason` of the Status object, such as `AlreadyExists`. */
  readonly reason: string | undefined;

  constructor(call: string, answer: { status?: number; reason?: string | undefined; cause?: unknown }) {
    const { status, reason, cause } = answer;
    const said = [status, reason].filter((part) => part !== undefined).join(" ");
    super(`${call}: ${said || "no answer"}`, cause === undefined ? undefined : { cause });
    this.status = status;
    this.reason = reason;
  }
}

/** The object itself is not acceptable, or another one has its name: asking again changes nothing. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof KubeFailure &&
  (error.status === 400 || error.status === 422 || error.reason === "AlreadyExists");
