/**
 * One log line about an error of the scanner itself: the type of the error and its location in the code. Not
 * its message, which may quote a response of the target; and one line only, because the log also carries frames.
 */
export function faultLogLine(source: string, error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify({ fault: source, error: typeof error });
  return JSON.stringify({ fault: source, error: error.name, at: locationOf(error) });
}

/** The first line of the stack that is code: the message, which may contain lines in the form of code, comes before it. */
function locationOf({ message, stack = "" }: Error): string | undefined {
  const trace = stack.slice(message === "" ? 0 : stack.indexOf(message) + message.length);
  return /^\s+at (.+)$/m.exec(trace)?.[1];
}
