import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashSecret, openStore, type Store } from "@glovebox/store";
import { freshDatabase } from "@glovebox/store/testing";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { offerFirstAdministrator } from "./first-administrator.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseUrl: string; // of test/support/postgres.ts
  }
}

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
const folder = mkdtempSync(join(tmpdir(), "first-administrator-"));
const file = join(folder, "first-administrator");

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
  await store.accounts.declare({ name: "default", plan: "pro" });
});
afterAll(async () => {
  await store.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test("each start offers the same link, in a file for its owner only, until there is a user", async () => {
  const token = await offerFirstAdministrator(folder, store);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await offerFirstAdministrator(folder, store)).toBe(token);
  const response = { email: "ada@example.com", name: "Ada", passwordHash: "$argon2id$" };
  expect(await store.invitations.accept(hashSecret(token!), response)).toMatchObject({ outcome: "accepted" });
  expect(await store.users.list()).toMatchObject([
    { isAdministrator: true, memberships: [{ accountName: "default", role: "owner" }] },
  ]);
  expect(await offerFirstAdministrator(folder, store)).toBeUndefined();
  expect(existsSync(file)).toBe(false);
});
