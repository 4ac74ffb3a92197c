import { destination, pino, type Level, type Logger } from "pino";

/** The service's log: one JSON object a line on stderr. Callers log no secret, body or query string. */
export const createLogger = (level: Level | "silent"): Logger =>
  pino({ level, base: null }, destination({ dest: 2, sync: true }));

/** What may be written about a failure that nobody foresaw: its kind and where it arose; messages can hold data. */
export function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { error: typeof error };
  const frame = /\n\s+at .*?([\w.-]+\.[cm]?[jt]s:\d+:\d+)/.exec(error.stack ?? "")?.[1];
  const cause = error.cause instanceof Error ? describeFault(error.cause) : undefined;
  return { error: error.name, code: (error as { code?: unknown }).code, at: frame, cause };
}
