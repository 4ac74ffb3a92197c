import { afterAll, beforeAll } from "vitest";
import { testDatabase, type TestDatabase } from "./database.ts";
import { newAccount, startTestApi, type TestApi } from "./harness.ts";

/** An API for the tests of one file, and a key to it. Slow requests try its patience after fractions of a second. */
export interface ImpatientApi {
  readonly api: TestApi;
  readonly key: string;
}

/** Starts one before the file's tests and drops it after them; the returned function gives it to a test. */
export function impatientApi(): () => ImpatientApi {
  let database: TestDatabase;
  let running: ImpatientApi;
  beforeAll(async () => {
    database = await testDatabase();
    const settings = { headersTimeoutMs: 300, requestTimeoutMs: 600 };
    const api = await startTestApi({ databaseUrl: database.url, settings });
    running = { api, key: (await newAccount(api.store)).key };
  });
  afterAll(async () => {
    await running.api.close();
    await database.drop();
  });
  return () => running;
}
