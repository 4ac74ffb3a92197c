import { randomBytes } from "node:crypto";
import { hashSecret, newToken } from "../database/tokens.ts";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { NOON, after, clock, newAccount } from "../testing/fixtures.ts";
import type { Account, InvitationResponse, Store } from "../index.ts";
import { freshDatabase, openStoreAt } from "../testing.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let account: Account;

beforeEach(async () => {
  clock.at = NOON;
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
  account = await newAccount(store);
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

const address = () => `${randomBytes(6).toString("hex")}@example.com`;
const response = (over: InvitationResponse = {}) => ({ name: "Ada", passwordHash: "$argon2id$", ...over });

async function invite(over: object = {}): Promise<string> {
  const sha256 = hashSecret(newToken());
  const membership = { accountId: account.id, role: "member" as const };
  await store.invitations.create({ sha256, email: address(), membership, days: 7, ...over });
  return sha256;
}

async function newUser(email = address()): Promise<string> {
  const accepted = await store.invitations.accept(await invite({ email, membership: undefined }), response());
  return accepted.userId!;
}

describe("an invitation", () => {
  test("makes a user who is a member of the account, in the role that it names", async () => {
    const email = address();
    const { outcome, userId } = await store.invitations.accept(
      await invite({ email: email.toUpperCase() }),
      response(),
    );
    expect(outcome).toBe("accepted");
    expect(await store.users.list()).toMatchObject([
      { id: userId, email, name: "Ada", memberships: [{ accountName: account.name, role: "member" }] },
    ]);
  });

  test("an invitation is used once, also by two at the same time", async () => {
    const sha256 = await invite();
    const both = await Promise.all([1, 2].map(() => store.invitations.accept(sha256, response())));
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(["accepted", "invalid"]);
    expect(await store.invitations.find(sha256)).toBeUndefined();
  });

  test("an invitation is accepted until it expires, and not after", async () => {
    const sha256 = await invite({ days: 1 });
    clock.at = after(86_399);
    expect(await store.invitations.find(sha256)).toMatchObject({ accountName: account.name, role: "member" });
    clock.at = after(86_400);
    expect(await store.invitations.find(sha256)).toBeUndefined();
    expect(await store.invitations.accept(sha256, response())).toMatchObject({ outcome: "invalid" });
  });

  test("an invitation for the address of a user does not let its holder become that user", async () => {
    const email = address();
    const userId = await newUser(email);
    const sha256 = await invite({ email });
    const identity = { issuer: "https://id.example", subject: "mallory" };
    for (const as of [response(), { name: "Mallory", identity }])
      expect(await store.invitations.accept(sha256, as)).toEqual({ outcome: "exists", userId: null });
    expect(await store.users.findByIdentity(identity)).toBeUndefined();
    expect(await store.invitations.accept(sha256, { signedInAs: userId })).toMatchObject({
      outcome: "accepted",
    });
    expect(await store.users.list()).toMatchObject([{ id: userId, memberships: [{ role: "member" }] }]);
  });

  test("accepted by somebody signed in adds to that user, and ends the sessions before", async () => {
    const userId = await newUser();
    const session = hashSecret(newToken());
    await store.sessions.create({ sha256: session, userId, ip: null, agent: null, hasSecondFactor: false });
    await store.invitations.accept(await invite(), { signedInAs: userId });
    expect(await store.sessions.find(session)).toBeUndefined();
    expect((await store.users.list())[0]!.memberships).toHaveLength(1);
  });

  test("accepted with an identity makes a user who has it, and a later one finds that user", async () => {
    const identity = { issuer: "https://id.example", subject: "ada" };
    const first = await store.invitations.accept(await invite(), { name: "Ada", identity });
    const second = await store.invitations.accept(await invite({ isAdministrator: true }), {
      name: "Ada",
      identity,
    });
    expect(second).toEqual(first);
    expect(await store.users.findByIdentity(identity)).toMatchObject({
      id: first.userId,
      isAdministrator: true,
    });
  });

  test("an invitation does not move an identity from one user to another", async () => {
    const identity = { issuer: "https://id.example", subject: "ada" };
    await store.invitations.accept(await invite(), { name: "Ada", identity });
    const other = await newUser();
    const taken = await store.invitations.accept(await invite(), { signedInAs: other, identity });
    expect(taken).toEqual({ outcome: "taken", userId: null });
  });

  test("an invitation is refused to a disabled user", async () => {
    const userId = await newUser();
    await store.users.setDisabled(userId, true);
    const outcome = await store.invitations.accept(await invite(), { signedInAs: userId });
    expect(outcome).toMatchObject({ outcome: "invalid" });
  });

  test("an invitation is withdrawn by its own account alone", async () => {
    const other = await newAccount(store);
    const email = address();
    await invite({ email });
    const { id } = (await store.invitations.list(account.id))[0]!;
    expect(await store.invitations.list(other.id)).toEqual([]);
    expect(await store.invitations.delete(id, other.id)).toBeUndefined();
    expect(await store.invitations.delete(id, null)).toBeUndefined();
    expect(await store.invitations.delete(id, account.id)).toEqual({ email });
    expect(await store.invitations.list()).toEqual([]);
  });
});

describe("the link of the first administrator", () => {
  const link = hashSecret("first");
  const offer = () => store.invitations.offerFirstAdministrator(link, { accountId: account.id, days: 7 });

  test("makes an administrator with the address entered, who owns the account", async () => {
    expect(await offer()).toBe(true);
    await store.invitations.accept(link, response({ email: "Ada@Example.com" }));
    expect(await store.users.list()).toMatchObject([
      { email: "ada@example.com", isAdministrator: true, memberships: [{ role: "owner" }] },
    ]);
    expect(await offer()).toBe(false);
  });

  test("the link of the first administrator is offered again at each start, until there is a user", async () => {
    await offer();
    clock.at = after(6 * 86_400);
    expect(await offer()).toBe(true);
    clock.at = after(12 * 86_400);
    expect(await store.invitations.find(link)).toMatchObject({ email: null, isAdministrator: true });
    await newUser();
    expect(await offer()).toBe(false);
    expect(await store.invitations.find(link)).toBeUndefined();
    expect(await store.invitations.accept(link, response({ email: address() }))).toMatchObject({
      outcome: "invalid",
    });
  });

  test("makes one administrator, where two links are used at the same time", async () => {
    await offer();
    const second = hashSecret("second");
    await store.invitations.offerFirstAdministrator(second, { days: 7 });
    const used = [link, second].map((sha256) =>
      store.invitations.accept(sha256, response({ email: address() })),
    );
    expect((await Promise.all(used)).map(({ outcome }) => outcome).toSorted()).toEqual([
      "accepted",
      "invalid",
    ]);
    expect(await store.users.list()).toHaveLength(1);
  });
});

describe("a link for a new password", () => {
  test("sets the password once and signs the user out everywhere", async () => {
    const userId = await newUser();
    const session = hashSecret(newToken());
    await store.sessions.create({ sha256: session, userId, ip: null, agent: null, hasSecondFactor: false });
    const sha256 = await invite({ email: null, userId, membership: undefined });
    expect(await store.invitations.accept(sha256, { passwordHash: "$new$" })).toEqual({
      outcome: "accepted",
      userId,
    });
    expect(await store.users.findById(userId)).toMatchObject({ passwordHash: "$new$" });
    expect(await store.sessions.find(session)).toBeUndefined();
    expect(await store.invitations.accept(sha256, response())).toMatchObject({ outcome: "invalid" });
  });

  test("a link for a new password does nothing for a disabled user, nor without a password", async () => {
    const userId = await newUser();
    const sha256 = await invite({ email: null, userId, membership: undefined });
    const identity = { issuer: "https://id.example", subject: "mallory" };
    expect(await store.invitations.accept(sha256, { identity })).toMatchObject({ outcome: "invalid" });
    await store.users.setDisabled(userId, true);
    expect(await store.invitations.accept(sha256, response())).toMatchObject({ outcome: "invalid" });
    expect(await store.users.findById(userId)).toMatchObject({ passwordHash: "$argon2id$" });
  });
});

describe("the groups of a provider", () => {
  const issuer = "https://id.example";
  const apply = (userId: string, role: "owner" | "viewer" | undefined, isAdministrator?: boolean) =>
    store.users.applyProviderRoles(userId, issuer, {
      roles: role
        ? [
            { account: account.name, role },
            { account: "unknown", role },
          ]
        : [],
      isAdministrator,
    });
  const state = async () => {
    const [{ isAdministrator, memberships }] = (await store.users.list()) as [
      Awaited<ReturnType<Store["users"]["list"]>>[number],
    ];
    return { isAdministrator, roles: memberships.map(({ role }) => role) };
  };

  test("give roles, change them, and take them again", async () => {
    const userId = await newUser();
    await apply(userId, "viewer", true);
    expect(await state()).toEqual({ isAdministrator: true, roles: ["viewer"] });
    await apply(userId, "owner", true);
    expect(await state()).toEqual({ isAdministrator: true, roles: ["owner"] });
    await apply(userId, undefined, false);
    expect(await state()).toEqual({ isAdministrator: false, roles: [] });
  });

  test("take nothing that a person gave", async () => {
    const userId = await newUser();
    await store.users.setRole(userId, account.id, "member");
    await store.users.setAdministrator(userId, true);
    await apply(userId, undefined, false);
    expect(await state()).toEqual({ isAdministrator: true, roles: ["member"] });
  });

  test("end the sessions of the user when something changes, and only then", async () => {
    const userId = await newUser();
    await apply(userId, "viewer");
    const session = hashSecret(newToken());
    await store.sessions.create({ sha256: session, userId, ip: null, agent: null, hasSecondFactor: false });
    await apply(userId, "viewer");
    expect(await store.sessions.find(session)).toBeDefined();
    await apply(userId, "owner");
    expect(await store.sessions.find(session)).toBeUndefined();
  });
});

describe("a link by its maker", () => {
  const reset = (userId: string, over: object = {}) =>
    invite({ email: null, membership: undefined, userId, ...over });

  test("a link by its maker is open while its maker is an owner of the account, and no longer", async () => {
    const owner = await newUser();
    const others = await newAccount(store);
    const sha256 = await invite({ createdBy: owner });
    const isOpen = async () => (await store.invitations.find(sha256)) !== undefined;
    expect(await isOpen()).toBe(false);
    await store.users.setRole(owner, others.id, "owner");
    expect(await isOpen()).toBe(false);
    await store.users.setRole(owner, account.id, "owner");
    expect(await isOpen()).toBe(true);
    expect(await store.invitations.list(account.id)).toHaveLength(1);
    await store.users.setRole(owner, account.id, "member");
    expect(await isOpen()).toBe(false);
    await store.users.setRole(owner, account.id, "owner");
    await store.users.removeFromAccount(owner, account.id);
    expect(await isOpen()).toBe(false);
    expect(await store.invitations.list(account.id)).toEqual([]);
    expect(await store.invitations.accept(sha256, response())).toMatchObject({ outcome: "invalid" });
  });

  test("a link by its maker for an administrator or a password is open while its maker is an administrator who can sign in", async () => {
    const maker = await newUser();
    await store.users.setRole(maker, account.id, "owner");
    const makesAdministrator = await invite({ isAdministrator: true, createdBy: maker });
    const setsPassword = await reset(await newUser(), { createdBy: maker });
    const isOpen = async (sha256: string) => (await store.invitations.find(sha256)) !== undefined;
    const areOpen = async () => [await isOpen(makesAdministrator), await isOpen(setsPassword)];
    expect(await areOpen()).toEqual([false, false]);
    await store.users.setAdministrator(maker, true);
    expect(await areOpen()).toEqual([true, true]);
    await store.users.setDisabled(maker, true);
    expect(await areOpen()).toEqual([false, false]);
    for (const sha256 of [makesAdministrator, setsPassword])
      expect(await store.invitations.accept(sha256, response())).toMatchObject({ outcome: "invalid" });
  });

  test("a link by its maker of the command line is open in any case", async () => {
    expect(await store.invitations.find(await invite())).toBeDefined();
  });

  test("a link by its maker for a password withdraws the others when it is used, and so does a new password", async () => {
    const [userId, other] = [await newUser(), await newUser()];
    const [first, second, ofOther] = [await reset(userId), await reset(userId), await reset(other)];
    expect(await store.invitations.accept(second, response())).toMatchObject({ outcome: "accepted" });
    expect(await store.invitations.accept(first, response())).toMatchObject({ outcome: "invalid" });
    const third = await reset(userId);
    await store.users.setPassword(userId, "$argon2id$new");
    expect(await store.invitations.find(third)).toBeUndefined();
    expect(await store.invitations.find(ofOther)).toBeDefined();
  });

  test("a link by its maker that invites withdraws the others for the same address in the same account when it is used", async () => {
    const email = address();
    const elsewhere = await newAccount(store);
    const [first, second] = [await invite({ email }), await invite({ email })];
    const others = [
      await invite({ email, membership: { accountId: elsewhere.id, role: "member" } }),
      await invite({ email, membership: undefined }),
      await invite(),
    ];
    await store.invitations.accept(first, response());
    expect(await store.invitations.find(second)).toBeUndefined();
    for (const sha256 of others) expect(await store.invitations.find(sha256)).toBeDefined();
  });
});
