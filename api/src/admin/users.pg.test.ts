import { hashSecret } from "@glovebox/store";
import { beforeEach, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { newAccount, startTestApi, type TestAccount, type TestApi } from "../testing/harness.ts";

let database: TestDatabase;
let api: TestApi;
let shop: TestAccount;
let administrator: SignedIn;
let owner: SignedIn;

beforeEach(async () => {
  database = await testDatabase();
  api = await startTestApi({ databaseUrl: database.url });
  shop = await newAccount(api.store);
  administrator = await signIn(api, shop.account, { role: "viewer", isAdministrator: true });
  owner = await signIn(api, shop.account);
  return async () => {
    await api.close();
    await database.drop();
  };
});

const LAST = "userId: is the last administrator who can sign in";
const newest = async () => (await administrator.client.audit.listAll.query({ limit: 1 }))[0];

test("users are listed with their accounts and without their secrets", async () => {
  const users = await administrator.client.users.list.query({});
  expect(users.find(({ id }) => id === owner.userId)).toEqual({
    ...{ id: owner.userId, email: expect.any(String), name: "Ada", createdAt: expect.stringMatching(/Z$/) },
    ...{ isAdministrator: false, disabledAt: null, hasPassword: false, passkeys: 0 },
    lastSignInAt: expect.stringMatching(/Z$/),
    memberships: [{ accountName: shop.account.name, role: "owner" }],
  });
});

test("a disabled user is signed out, and can be enabled again", async () => {
  const { userId } = owner;
  await administrator.client.users.setDisabled.mutate({ userId, isDisabled: true });
  await expect(owner.client.session.me.query({})).rejects.toMatchObject({ data: { code: "unauthorized" } });
  expect(await newest()).toMatchObject({
    action: "user.disable",
    accountId: null,
    before: { isDisabled: false },
  });
  await administrator.client.users.setDisabled.mutate({ userId, isDisabled: false });
  expect((await api.store.users.findById(userId))?.disabledAt).toBeNull();
});

test("the last administrator who can sign in is neither disabled nor made a normal user", async () => {
  const { client, userId } = administrator;
  await expect(client.users.setDisabled.mutate({ userId, isDisabled: true })).rejects.toThrow(LAST);
  await expect(client.users.setAdministrator.mutate({ userId, isAdministrator: false })).rejects.toThrow(
    LAST,
  );
  await client.users.setAdministrator.mutate({ userId: owner.userId, isAdministrator: true });
  await client.users.setAdministrator.mutate({ userId, isAdministrator: false });
  expect((await api.store.users.findById(userId))?.isAdministrator).toBe(false);
});

test("two administrators who disable each other at the same time leave one", async () => {
  const second = await signIn(api, shop.account, { isAdministrator: true });
  const disabled = await Promise.allSettled([
    administrator.client.users.setDisabled.mutate({ userId: second.userId, isDisabled: true }),
    second.client.users.setDisabled.mutate({ userId: administrator.userId, isDisabled: true }),
  ]);
  expect(disabled.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const users = await api.store.users.list();
  expect(users.filter((user) => user.isAdministrator && user.disabledAt === null)).toHaveLength(1);
});

test("links for another administrator and for a new password are shown once, and are what they say", async () => {
  const { client } = administrator;
  const invited = await client.users.inviteAdministrator.mutate({ email: "g@example.com" });
  const reset = await client.users.resetPassword.mutate({ userId: owner.userId });
  const find = ({ url }: { url: string }) => api.store.invitations.find(hashSecret(url.split("/").at(-1)!));
  expect(await find(invited)).toMatchObject({
    email: "g@example.com",
    isAdministrator: true,
    accountId: null,
  });
  expect(await find(reset)).toMatchObject({ userId: owner.userId, isAdministrator: false });
  const log = await client.audit.listAll.query({ action: "user." });
  expect(log.map(({ action }) => action)).toEqual(["user.resetPassword", "user.inviteAdministrator"]);
  expect(JSON.stringify(log)).not.toContain(reset.url.split("/").at(-1));
});

test("open links are listed without their tokens, and withdrawn ones open nothing", async () => {
  const { client } = administrator;
  const invited = await client.users.inviteAdministrator.mutate({ email: "g@example.com" });
  const reset = await client.users.resetPassword.mutate({ userId: owner.userId });
  const ofAccount = await owner.client.account.invite.mutate({ email: "m@example.com", role: "member" });
  const open = await client.users.invitations.query({});
  expect(open).toMatchObject([
    { id: invited.id, email: "g@example.com", isForPassword: false },
    { id: reset.id, email: expect.stringContaining("@"), isForPassword: true },
  ]);
  expect(JSON.stringify(open)).not.toContain(reset.url.split("/").at(-1));
  await client.users.withdrawInvitation.mutate({ id: invited.id });
  expect(await newest()).toMatchObject({ action: "user.withdrawInvitation", subject: "g@example.com" });
  expect(await client.users.invitations.query({})).toHaveLength(1);
  for (const id of [invited.id, ofAccount.id])
    await expect(client.users.withdrawInvitation.mutate({ id })).rejects.toThrow("No such invitation.");
});

test("an administrator signs a user out everywhere, and is not signed out", async () => {
  const { client } = administrator;
  expect(await client.users.signOutEverywhere.mutate({ userId: owner.userId })).toEqual({ ended: 1 });
  await expect(owner.client.session.me.query({})).rejects.toMatchObject({ data: { code: "unauthorized" } });
  expect(await newest()).toMatchObject({
    action: "session.signOutEverywhere",
    userId: administrator.userId,
    after: { ended: 1 },
  });
});

test("an owner administers no users", async () => {
  const { userId } = owner;
  const refused = await Promise.allSettled([
    owner.client.users.list.query({}),
    owner.client.users.setAdministrator.mutate({ userId, isAdministrator: true }),
    owner.client.users.resetPassword.mutate({ userId: administrator.userId }),
    owner.client.users.signOutEverywhere.mutate({ userId: administrator.userId }),
    owner.client.users.invitations.query({}),
    owner.client.service.queue.query({}),
  ]);
  for (const each of refused)
    expect(each).toMatchObject({ status: "rejected", reason: { data: { code: "forbidden" } } });
});
