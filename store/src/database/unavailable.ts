import { DrizzleQueryError } from "drizzle-orm/errors";

/** PostgreSQL cannot be reached, or does not respond in time. The statement may have been executed. */
export class StoreUnavailable extends Error {
  override readonly name: string = "StoreUnavailable";

  constructor(cause?: unknown) {
    super("The database is not available.", { cause });
  }
}

/** PostgreSQL responds, but the database does not exist or refuses this user. */
export class StoreUnusable extends StoreUnavailable {
  override readonly name: string = "StoreUnusable";
}

/** The schema is missing or older: the database was emptied or replaced, and not migrated yet. */
export class SchemaMissing extends StoreUnusable {
  override readonly name = "SchemaMissing";
}

/** PostgreSQL responds, but has no disk space or memory left for the statement (SQLSTATE class 53). */
export class StoreExhausted extends StoreUnavailable {
  override readonly name = "StoreExhausted";
}

/** PostgreSQL cannot store a value: a character, a moment or a number that it does not know. The schemas of inputs refuse them. */
export class UnstorableValue extends Error {
  override readonly name = "UnstorableValue";

  constructor(cause: unknown) {
    super("A value cannot be stored.", { cause });
  }
}

/** PostgreSQL refused a statement of a migration, which was rolled back. */
export class MigrationFailed extends Error {
  override readonly name = "MigrationFailed";

  constructor(part: string, cause: unknown) {
    super(`${part} cannot be applied: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** An error of a part of the schema that was being applied: the database is away, or refuses it. */
export function migrationError(part: string, error: unknown): unknown {
  const translated = translateError(error);
  const isAway = translated instanceof StoreUnavailable && !(translated instanceof SchemaMissing);
  return isAway ? translated : new MigrationFailed(part, withoutValues(error));
}

/** The error for callers of the store: `StoreUnavailable` if it means that the database is unavailable. */
export function translateError(error: unknown): unknown {
  if (error instanceof StoreUnavailable || error instanceof MigrationFailed) return error;
  const codes = errorCodes(error);
  if (codes.some((code) => MISSING.has(code))) return new SchemaMissing(withoutValues(error));
  if (codes.some((code) => REFUSED.has(code))) return new StoreUnusable(withoutValues(error));
  if (codes.some(meansAway)) return new StoreUnavailable(withoutValues(error));
  if (codes.some((code) => code.startsWith("53"))) return new StoreExhausted(withoutValues(error));
  if (codes.some((code) => UNSTORABLE.has(code))) return new UnstorableValue(withoutValues(error));
  return withoutValues(error);
}

/** Drizzle's own message lists the values of the statement, which no log may show; the driver's does not. */
const withoutValues = (error: unknown): unknown =>
  error instanceof DrizzleQueryError && error.cause ? error.cause : error;

/** True for the errors that leave postgres.js with a connection that may never work again. */
export const leavesConnectionStuck = (error: unknown): boolean =>
  errorCodes(error).includes("CONNECT_TIMEOUT");

const AWAY = new Set([
  // postgres.js
  ...["CONNECTION_CLOSED", "CONNECTION_ENDED", "CONNECTION_DESTROYED", "CONNECT_TIMEOUT"],
  // sockets and names
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EAI_AGAIN", "ENOENT"],
  // PostgreSQL: too many connections, shutting down, starting up, crashed, statement timeout, read-only standby
  ...["53300", "57P01", "57P02", "57P03", "57P05", "57014", "25006"],
]);

/** Unknown database or user, wrong password, or a database that accepts no connections. */
const REFUSED = new Set(["3D000", "28000", "28P01", "55000"]);

/** No such schema, table, column or function. */
const MISSING = new Set(["3F000", "42P01", "42703", "42883"]);

/** NUL and what UTF-8 does not have, in text and in JSON; moments and numbers that are out of range or of another form. */
const UNSTORABLE = new Set(["22021", "22P05", "22007", "22008", "22009", "22003"]);

const meansAway = (code: string): boolean => AWAY.has(code) || code.startsWith("08");

/** The SQLSTATE of an error of PostgreSQL's, or the code of one of the system's. */
export const databaseErrorCode = (error: unknown): string | undefined => errorCodes(error)[0];

/** The codes of an error and of its causes: drizzle wraps the errors of the driver. */
function errorCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const causes = error instanceof AggregateError ? error.errors : [error.cause];
  const code = "code" in error && typeof error.code === "string" ? [error.code] : [];
  return [...code, ...causes.flatMap(errorCodes)];
}
