import { destination, pino, type Level, type Logger } from "pino";

/** The service's log: one JSON object a line on stderr. Callers log no secret, body or query string. */
export const createLogger = (level: Level | "silent"): Logger =>
  pino({ level, base: null }, destination({ dest: 2, sync: true }));
