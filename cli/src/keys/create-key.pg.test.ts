import { hashApiKey } from "@glovebox/contract";
import { openStore, type Store } from "@glovebox/store";
import { freshDatabase } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createKey } from "./create-key.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseUrl: string; // of test/support/postgres.ts
  }
}

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const options = { name: "ci", scopes: undefined, expiresAt: undefined };
const holderOf = (key: string) => store.keys.findByHash(hashApiKey(key), new Date());

describe("createKey", () => {
  test("makes the account where there is none, and a key that its holder is found by", async () => {
    const key = await createKey({ ...options, account: "new", plan: "free" }, database.url);
    expect(await holderOf(key)).toMatchObject({ account: { name: "new", plan: "free" }, scopes: [] });
  });

  test("gives an account the plan, and leaves its owner and its own rate as they are", async () => {
    const terms = { name: "payments", owner: "team@example.com", requestsPerMinute: 1_200 };
    await store.accounts.declare({ ...terms, plan: "pro" });
    const key = await createKey({ ...options, account: "payments", plan: "enterprise" }, database.url);
    expect((await holderOf(key))?.account).toMatchObject({ ...terms, plan: "enterprise" });
  });

  test("says that a database that is away cannot be reached", async () => {
    const away = createKey({ ...options, account: "new", plan: "free" }, "postgres://u:p@127.0.0.1:1/x");
    await expect(away).rejects.toThrow("The database cannot be reached; is the service running?");
  });
});
