/**
 * One line for the operator's log about a fault of the scanner's own: what kind of error, and where in the code. Not
 * its message, which may quote what a target said; and one line only, because a container's log holds frames, too.
 */
export function faultLine(source: string, error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify({ fault: source, error: typeof error });
  return JSON.stringify({ fault: source, error: error.name, at: placeOf(error) });
}

/** The first line of the stack that is code: the message, which may have lines that look like code, comes before it. */
function placeOf({ message, stack = "" }: Error): string | undefined {
  const trace = stack.slice(message === "" ? 0 : stack.indexOf(message) + message.length);
  return /^\s+at (.+)$/m.exec(trace)?.[1];
}
