import { type PostgresJsDatabase, drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Options, type Sql } from "postgres";
import { StoreUnavailable, leavesConnectionStuck, translateError } from "./unavailable.ts";

export interface DatabaseOptions {
  readonly url: string;
  /** Connections of the pool; one more listens for events. Default 10. */
  readonly maxConnections?: number | undefined;
  /** Default 5. */
  readonly connectTimeoutSeconds?: number | undefined;
  /** How long one statement may take. Default 10. */
  readonly statementTimeoutSeconds?: number | undefined;
}

/**
 * What runs on every request, or needs locks, is written as SQL (prepared by postgres.js); the rest is drizzle's.
 * With drizzle on the pool, plain SQL sees moments as text.
 */
export interface Connections {
  readonly sql: Sql;
  readonly orm: PostgresJsDatabase;
}

/** A pool that answers or fails within a bounded time, and comes back by itself after an outage. */
export class Database {
  readonly #options: DatabaseOptions;
  readonly #deadlineMs: number;
  #connections: Connections;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#connections = connect(options);
    const { connectTimeoutSeconds = 5, statementTimeoutSeconds = 10 } = options;
    this.#deadlineMs = (connectTimeoutSeconds + statementTimeoutSeconds) * 1000;
  }

  /** Runs one statement. Rejects with `StoreUnavailable` when the database is away or the time is up. */
  async run<T>(statement: (connections: Connections) => PromiseLike<T>): Promise<T> {
    const connections = this.#connections;
    const answer = statement(connections);
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#renew(connections);
      withdraw(answer);
      deadline.reject(new StoreUnavailable(new Error("no answer within the time limit")));
    }, this.#deadlineMs);
    try {
      return await Promise.race([answer, deadline.promise]);
    } catch (error) {
      if (leavesConnectionStuck(error)) this.#renew(connections);
      throw translateError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#connections.sql.end({ timeout: 5 });
  }

  /** Replaces the pool: postgres.js cannot always revive a connection that broke while it was being written to. */
  #renew(stuck: Connections): void {
    if (this.#connections !== stuck) return;
    this.#connections = connect(this.#options);
    void stuck.sql.end({ timeout: this.#deadlineMs / 1000 });
  }
}

/** Settings of every connection of this store. */
export function connectionSettings(options: DatabaseOptions): Options<Record<string, never>> {
  const { connectTimeoutSeconds = 5, statementTimeoutSeconds = 10 } = options;
  return {
    connect_timeout: connectTimeoutSeconds,
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 0.5), // seconds
    onnotice: () => {},
    connection: { application_name: "glovebox", statement_timeout: statementTimeoutSeconds * 1000 },
  };
}

function connect(options: DatabaseOptions): Connections {
  const sql = postgres(options.url, { ...connectionSettings(options), max: options.maxConnections ?? 10 });
  return { sql, orm: drizzle({ client: sql }) };
}

/**
 * What still waits in the pool's queue must not run after its caller was told that it failed. What was sent already
 * ends with its connection: postgres.js would ask the server to cancel it over one more connection, and where that is
 * refused nobody hears the rejection, which ends the process.
 */
function withdraw(answer: unknown): void {
  if (isQuery(answer) && !answer.state) answer.cancel();
}

/** A query of postgres.js; `state` is that of the connection it was sent on. */
interface Query {
  readonly state: unknown;
  cancel(): void;
}

const isQuery = (answer: unknown): answer is Query =>
  typeof answer === "object" && answer !== null && "cancel" in answer && "state" in answer;
