import { setTimeout as sleep } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { withTimeout } from "@glovebox/domain";
import { type Progress } from "@glovebox/contract";
import { type ProgressFrame } from "@glovebox/scan-run";
import { type Database, type DatabaseOptions, connectionSettings } from "./database.ts";
import { StoreUnavailable, translateError } from "./unavailable.ts";

const CHANNEL = "glovebox";
const RETRY_MS = 250;
/** How often to check that an idle connection is alive. */
const HEARTBEAT_MS = 5_000;

export type StoreEvent =
  /** A hint, sent right after the submission: it may be lost, so workers also poll. */
  | { readonly type: "scanSubmitted"; readonly id: string }
  | {
      readonly type: "scanProgress";
      readonly id: string;
      readonly frame: Pick<ProgressFrame, "category" | "done" | "planned">;
      readonly total: Progress;
    }
  | { readonly type: "scanEnded"; readonly id: string }
  | { readonly type: "keyRevoked"; readonly keyId: string }
  /** A hint: a delivery to a webhook was enqueued, or is to be repeated now. */
  | { readonly type: "deliveryDue" }
  /** The connection was interrupted: events may have been missed. */
  | { readonly type: "reconnected" };

type Handler = (event: StoreEvent) => void;

/** Receives notifications of all processes, over one dedicated connection that is open while there are listeners. */
export class Listener {
  readonly #options: DatabaseOptions;
  readonly #handlers = new Set<Handler>();
  #connection: Promise<Sql> | undefined;

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  /**
   * LISTEN: calls the handler for what any process announces, until the returned function is called. A lost
   * connection is replaced as soon as the database is back. The handler must not throw.
   */
  async listen(handler: Handler): Promise<() => Promise<void>> {
    const own: Handler = (event) => handler(event); // the same function may listen twice
    this.#handlers.add(own);
    const connection = (this.#connection ??= this.#connectFirst());
    const { connectTimeoutSeconds = 5 } = this.#options;
    try {
      // An outage may keep the connection waiting.
      await withTimeout(connection, { ms: connectTimeoutSeconds * 1000 + RETRY_MS, error: unconnected });
    } catch (error) {
      this.#handlers.delete(own);
      throw translateError(error);
    }
    return async () => {
      if (this.#handlers.delete(own) && this.#handlers.size === 0) await this.close();
    };
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#handlers.clear();
    await connection?.then(
      (sql) => sql.end({ timeout: 1 }),
      () => {},
    );
  }

  async #connectFirst(): Promise<Sql> {
    try {
      return await this.#connect();
    } catch (error) {
      this.#connection = undefined; // the next listener tries again
      throw error;
    }
  }

  /** A new connection that listens; when it is lost, it is replaced. */
  async #connect(): Promise<Sql> {
    const lost = Promise.withResolvers<void>();
    const sql = postgres(this.#options.url, {
      ...connectionSettings(this.#options),
      ...{ max: 1, idle_timeout: 0, max_lifetime: null, fetch_types: false },
      ...{ onnotify: (_channel: string, payload: string) => this.#emit(JSON.parse(payload) as StoreEvent) },
      onclose: () => lost.resolve(),
    });
    try {
      await sql.unsafe(`listen ${CHANNEL}`);
    } catch (error) {
      void sql.end({ timeout: 0 });
      throw error;
    }
    const heartbeat = setInterval(
      () => void isAlive(sql).then((alive) => alive || lost.resolve()),
      HEARTBEAT_MS,
    ).unref();
    void lost.promise.then(() => {
      clearInterval(heartbeat);
      void sql.end({ timeout: 0 });
      return this.#replace(sql);
    });
    return sql;
  }

  async #replace(dead: Sql): Promise<void> {
    if ((await this.#connection?.catch(() => undefined)) !== dead) return; // closed on purpose
    const successor = Promise.withResolvers<Sql>();
    successor.promise.catch(() => {}); // there may be no listener
    this.#connection = successor.promise;
    while (this.#connection === successor.promise) {
      try {
        successor.resolve(await this.#connect());
        return this.#emit({ type: "reconnected" });
      } catch {
        await sleep(RETRY_MS);
      }
    }
    successor.reject(new StoreUnavailable());
  }

  #emit(event: StoreEvent): void {
    for (const handler of this.#handlers) handler(event);
  }
}

/** False if the connection does not respond before the next heartbeat is due. */
const isAlive = (sql: Sql): Promise<boolean> =>
  withTimeout(sql`select 1`, { ms: HEARTBEAT_MS, error: unconnected }).then(
    () => true,
    () => false,
  );

const unconnected = (): Error => new StoreUnavailable(new Error("no connection within the time limit"));

/** Announcements per statement. */
const BATCH = 100;
/** After a statement, announcements gather for this time: each NOTIFY costs a commit, and wakes every listener. */
const GATHER_MS = 10;

/**
 * Sends notifications outside of the transaction that they are about, the first right after it and more in batches: NOTIFY
 * inside a transaction serializes all commits of the server, which would slow down submissions.
 */
export class Announcer {
  readonly #database: Database;
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  announce(event: StoreEvent): void {
    this.#waiting.push(JSON.stringify(event));
    this.#sending ??= this.#sendAll();
  }

  /** Resolves when all that was announced has been sent. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = JSON.stringify(this.#waiting.splice(0, BATCH));
      await this.#database
        .run(
          (sql) =>
            sql`select pg_notify('glovebox', hint) from json_array_elements_text(${batch}::text::json) hint`,
        )
        .catch(() => {}); // a hint: waiters also poll
      await sleep(GATHER_MS);
    }
    this.#sending = undefined;
  }
}
