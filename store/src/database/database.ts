import { withTimeout } from "@glovebox/domain";
import postgres, { type Options, type Sql } from "postgres";
import { StoreExhausted, StoreUnavailable, leavesConnectionStuck, translateError } from "./unavailable.ts";

export interface DatabaseOptions {
  readonly url: string;
  /** Connections of the pool; events, readiness and locked tasks have one more each. Default 10. */
  readonly maxConnections?: number | undefined;
  /** Default 5. */
  readonly connectTimeoutSeconds?: number | undefined;
  /** How long one statement may take. Default 10. */
  readonly statementTimeoutSeconds?: number | undefined;
  /** How long a statement may wait for a connection of the pool. Default 5. */
  readonly queueTimeoutSeconds?: number | undefined;
}

/** The current time for statements, as ISO text; null: the time of the server, which does not depend on clocks of clients. */
export type TimeSource = () => string | null;

/**
 * A connection pool that responds or fails within a bounded time, and recovers by itself after an outage. Each connection runs
 * one statement at a time. A statement waits here for a free connection, not pipelined behind another one, so that a long
 * queue is distinguished from a connection that no longer responds: only the latter is replaced.
 */
export class Database {
  /** For statements that write or compare times. Only tests have their own clock. */
  readonly now: TimeSource;
  readonly #options: DatabaseOptions;
  readonly #size: number;
  readonly #queueMs: number;
  readonly #wireMs: number;
  readonly #all = new Set<Sql>();
  readonly #idle: Sql[] = [];
  readonly #queue = new Set<PromiseWithResolvers<Sql>>();
  #closed = false;
  /** Milliseconds of the monotonic clock. */
  #exhaustedUntil = 0;

  constructor(options: DatabaseOptions, now: TimeSource = () => null) {
    this.now = now;
    const { connectTimeoutSeconds = 5, statementTimeoutSeconds = 10, queueTimeoutSeconds = 5 } = options;
    this.#options = options;
    this.#size = options.maxConnections ?? 10;
    this.#queueMs = queueTimeoutSeconds * 1000;
    this.#wireMs = (connectTimeoutSeconds + statementTimeoutSeconds) * 1000;
  }

  /** Runs one statement. Rejects with `StoreUnavailable` when the database is unavailable or does not respond in time. */
  async run<T>(statement: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const connection = await this.#take();
    let isStuck = false;
    try {
      return await withTimeout(statement(connection), {
        ms: this.#wireMs,
        error: () => new NoResponse("no response within the time limit"),
      });
    } catch (error) {
      isStuck = error instanceof NoResponse || leavesConnectionStuck(error);
      const translated = error instanceof NoResponse ? new StoreUnavailable(error) : translateError(error);
      if (translated instanceof StoreExhausted) this.#exhaustedUntil = performance.now() + EXHAUSTED_MS;
      throw translated;
    } finally {
      if (isStuck) this.#replace(connection);
      else this.#release(connection);
    }
  }

  /**
   * Runs the task in one transaction on one connection: what it does with the database that it is given is committed together,
   * or not at all when it rejects.
   */
  transaction<T>(task: (transaction: Database) => Promise<T>): Promise<T> {
    return this.run(
      (sql) => sql.begin((bound) => task(new Transaction(bound as unknown as Sql, this.now))) as Promise<T>,
    );
  }

  /** PostgreSQL had no room for a statement within the last half minute. Reads may still work. */
  get isExhausted(): boolean {
    return performance.now() < this.#exhaustedUntil;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const turn of this.#queue) turn.reject(new StoreUnavailable(new Error("the store was closed")));
    this.#queue.clear();
    await Promise.all([...this.#all].map((connection) => connection.end({ timeout: 5 })));
  }

  async #take(): Promise<Sql> {
    if (this.#closed) throw new StoreUnavailable(new Error("the store was closed"));
    const free = this.#idle.pop();
    if (free) return free;
    if (this.#all.size < this.#size) return this.#add();
    const turn = Promise.withResolvers<Sql>();
    this.#queue.add(turn);
    const timer = setTimeout(() => {
      this.#queue.delete(turn);
      turn.reject(new StoreUnavailable(new Error("no connection was free within the time limit")));
    }, this.#queueMs);
    return turn.promise.finally(() => clearTimeout(timer));
  }

  /** Connects when it is first used, and again after the connection was lost. */
  #add(): Sql {
    const connection = postgres(this.#options.url, { ...connectionSettings(this.#options), max: 1 });
    this.#all.add(connection);
    return connection;
  }

  /** Passes the connection to the statement that has waited longest. */
  #release(connection: Sql): void {
    const [next] = this.#queue;
    if (!next) return void this.#idle.push(connection);
    this.#queue.delete(next);
    next.resolve(connection);
  }

  /** The new connection starts after the old one has ended, so that the limit is never exceeded. */
  #replace(stuck: Sql): void {
    // postgres.js 3.4.9 connects once more where it is ended between two attempts, and keeps that connection for ever: this
    // path, which it prefers to the host, accepts none.
    Object.assign(stuck.options, { path: "/dev/null" });
    void stuck.end({ timeout: 0 }).then(() => {
      this.#all.delete(stuck);
      if (!this.#closed) this.#release(this.#add());
    });
  }
}

/** The database as one transaction has it: every statement on its connection. */
class Transaction extends Database {
  readonly #sql: Sql;

  constructor(sql: Sql, now: TimeSource) {
    super({ url: "" }, now); // never connects
    this.#sql = sql;
  }

  override async run<T>(statement: (sql: Sql) => PromiseLike<T>): Promise<T> {
    return statement(this.#sql);
  }

  override transaction<T>(task: (transaction: Database) => Promise<T>): Promise<T> {
    return task(this);
  }
}

const EXHAUSTED_MS = 30_000;

/** A connection without a response, although the server ends statements earlier. */
class NoResponse extends Error {}

/**
 * Settings of every connection of this store. Columns are named as in schema.ts: `spec_url` becomes `specUrl`. The formats of
 * times are set, because roles and databases may have other defaults.
 */
export function connectionSettings(options: DatabaseOptions): Options<Record<string, never>> {
  const { connectTimeoutSeconds = 5, statementTimeoutSeconds = 10 } = options;
  return {
    connect_timeout: connectTimeoutSeconds,
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 0.5), // seconds
    onnotice: () => {},
    transform: { column: { from: postgres.toCamel } },
    connection: {
      application_name: "glovebox",
      statement_timeout: statementTimeoutSeconds * 1000,
      DateStyle: "ISO, YMD",
      TimeZone: "UTC",
    },
  };
}
