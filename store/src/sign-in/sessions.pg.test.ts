import { randomBytes } from "node:crypto";
import { hashSecret, newToken } from "../database/tokens.ts";
import { type Role } from "@glovebox/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { NOON, after, clock, newAccount } from "../testing/fixtures.ts";
import type { Account, Store } from "../index.ts";
import { freshDatabase, openStoreAt } from "../testing.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
});
beforeEach(() => {
  clock.at = NOON;
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const HOUR = 3600;
const DAY = 24 * HOUR;

/** A new user with this role in a new account. */
async function newUser(role: Role = "member"): Promise<{ userId: string; account: Account; email: string }> {
  const account = await newAccount(store);
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const identity = { issuer: "https://id.example", subject: email };
  const userId = (await store.users.createFromProvider({ email, name: "Ada" }, identity))!;
  await store.users.setRole(userId, account.id, role);
  return { userId, account, email };
}

async function newSession(userId: string, hasSecondFactor = false): Promise<string> {
  const sha256 = hashSecret(newToken());
  await store.sessions.create({ sha256, userId, ip: "192.0.2.1", agent: "Chromium", hasSecondFactor });
  return sha256;
}

describe("a session", () => {
  test("a session is found by the hash of its token, with its user and the accounts", async () => {
    const { userId, account, email } = await newUser("owner");
    const sha256 = await newSession(userId);
    expect(await store.sessions.find(sha256)).toEqual({
      sessionId: expect.any(String),
      user: { id: userId, email, name: "Ada", isAdministrator: false },
      memberships: [{ accountId: account.id, accountName: account.name, plan: "enterprise", role: "owner" }],
      accountId: account.id,
      createdAt: NOON,
      hasSecondFactor: false,
      isConfirmed: false,
    });
    expect(await store.sessions.find(hashSecret(newToken()))).toBeUndefined();
  });

  test("a session of a user without an account has none in view", async () => {
    const { userId, account } = await newUser();
    await store.users.removeFromAccount(userId, account.id);
    const found = await store.sessions.find(await newSession(userId));
    expect(found).toMatchObject({ memberships: [], accountId: null });
  });

  test("ends after 12 hours without a request, and goes on where there was one", async () => {
    const { userId } = await newUser();
    const [used, idle] = [await newSession(userId), await newSession(userId)];
    clock.at = after(6 * HOUR);
    expect(await store.sessions.find(used)).toBeDefined();
    clock.at = after(12 * HOUR);
    expect(await store.sessions.find(idle)).toBeUndefined();
    expect(await store.sessions.find(used)).toBeDefined();
  });

  test("ends after 30 days, however often it is used", async () => {
    const { userId } = await newUser();
    const sha256 = await newSession(userId);
    for (let hours = 11; hours < 720; hours += 11) {
      clock.at = after(hours * HOUR);
      expect(await store.sessions.find(sha256)).toBeDefined();
    }
    clock.at = after(30 * DAY);
    expect(await store.sessions.find(sha256)).toBeUndefined();
  });

  test("records its last request at most once a minute", async () => {
    const { userId } = await newUser();
    const sha256 = await newSession(userId);
    const seenAt = async () => (await store.sessions.list(userId))[0]!.seenAt;
    for (const [seconds, recorded] of [
      [59, 0],
      [60, 60],
      [100, 60],
      [121, 121],
    ] as const) {
      clock.at = after(seconds);
      await store.sessions.find(sha256);
      expect(await seenAt()).toEqual(after(recorded));
    }
  });

  test("a session of a disabled user is refused, and does not come back when the user is enabled again", async () => {
    const { userId } = await newUser();
    const sha256 = await newSession(userId);
    expect(await store.users.setDisabled(userId, true)).toBe(true);
    const during = await newSession(userId);
    expect(await store.sessions.find(during)).toBeUndefined();
    await store.users.setDisabled(userId, false);
    expect(await store.sessions.find(sha256)).toBeUndefined();
  });

  test("a session with another token is not found by the one before, and keeps its expiry", async () => {
    const { userId } = await newUser();
    const old = await newSession(userId);
    const { sessionId } = (await store.sessions.find(old))!;
    const sha256 = hashSecret(newToken());
    clock.at = after(HOUR);
    await store.sessions.rotate(sessionId, { sha256, hasSecondFactor: true });
    expect(await store.sessions.find(old)).toBeUndefined();
    expect(await store.sessions.find(sha256)).toMatchObject({ sessionId, hasSecondFactor: true });
    await store.sessions.rotate(sessionId, { sha256: old });
    expect(await store.sessions.find(old)).toMatchObject({ hasSecondFactor: true });
    expect((await store.sessions.list(userId))[0]).toMatchObject({
      createdAt: NOON,
      expiresAt: after(30 * DAY),
    });
  });

  test.each([
    ["another role", (userId: string, accountId: string) => store.users.setRole(userId, accountId, "viewer")],
    ["the end of a membership", (userId: string, id: string) => store.users.removeFromAccount(userId, id)],
    ["becoming an administrator", (userId: string) => store.users.setAdministrator(userId, true)],
    ["another password", (userId: string) => store.users.setPassword(userId, "$argon2id$")],
  ])("ends with %s", async (_change, change) => {
    const { userId, account } = await newUser();
    const sha256 = await newSession(userId);
    await change(userId, account.id);
    expect(await store.sessions.find(sha256)).toBeUndefined();
  });

  test("a session is ended by its own user alone", async () => {
    const [one, other] = [await newUser(), await newUser()];
    const sha256 = await newSession(one.userId);
    const { sessionId } = (await store.sessions.find(sha256))!;
    expect(await store.sessions.delete(other.userId, sessionId)).toBe(false);
    expect(await store.sessions.find(sha256)).toBeDefined();
    expect(await store.sessions.delete(one.userId, sessionId)).toBe(true);
    expect(await store.sessions.find(sha256)).toBeUndefined();
  });

  test("a session can be kept while all others of the user end", async () => {
    const { userId } = await newUser();
    const [kept, other] = [await newSession(userId), await newSession(userId)];
    const { sessionId } = (await store.sessions.find(kept))!;
    expect(await store.sessions.deleteAllOfUser(userId, sessionId)).toBe(1);
    expect(await store.sessions.find(other)).toBeUndefined();
    expect(await store.sessions.deleteAllOfUser(userId)).toBe(1);
    expect(await store.sessions.find(kept)).toBeUndefined();
  });
});

describe("the account in view", () => {
  test("the account in view is one of the user's accounts, and never another one", async () => {
    const { userId, account } = await newUser();
    const second = await newAccount(store);
    const otherAccount = await newAccount(store);
    await store.users.setRole(userId, second.id, "viewer");
    const sha256 = await newSession(userId);
    const { sessionId } = (await store.sessions.find(sha256))!;
    for (const { id } of [second, account]) {
      expect(await store.sessions.selectAccount(sessionId, id)).toBe(true);
      expect(await store.sessions.find(sha256)).toMatchObject({ accountId: id });
    }
    expect(await store.sessions.selectAccount(sessionId, otherAccount.id)).toBe(false);
    expect(await store.sessions.find(sha256)).toMatchObject({ accountId: account.id });
  });

  test("the account in view is any account for an administrator", async () => {
    const { userId } = await newUser();
    const otherAccount = await newAccount(store);
    await store.users.setAdministrator(userId, true);
    const sha256 = await newSession(userId);
    const { sessionId } = (await store.sessions.find(sha256))!;
    expect(await store.sessions.selectAccount(sessionId, otherAccount.id)).toBe(true);
    expect(await store.sessions.find(sha256)).toMatchObject({ accountId: otherAccount.id });
  });
});
