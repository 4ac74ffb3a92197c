import { hashSecret } from "@glovebox/store";
import { plainSql } from "@glovebox/store/testing";
import { beforeEach, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { newAccount, type TestAccount, useTestApi } from "../testing/harness.ts";

const api = useTestApi();
let shop: TestAccount;
let owner: SignedIn;
let member: SignedIn;

beforeEach(async () => {
  shop = await newAccount(api.store, { plan: "pro" });
  owner = await signIn(api, shop.account);
  member = await signIn(api, shop.account, { role: "member" });
});

const rolesOf = async (who = owner) =>
  Object.fromEntries((await who.client.account.members.query({})).map(({ userId, role }) => [userId, role]));
const newest = async () => (await api.store.audit.list(shop.account.id, { limit: 1 }))[0];

test("a member reads the account with the limits of its plan", async () => {
  expect(await member.client.account.get.query({})).toMatchObject({
    ...{
      id: shop.account.id,
      name: shop.account.name,
      plan: "pro",
      scansPerMonth: 100,
      requestsPerMinute: 60,
    },
    features: expect.arrayContaining(["webhooks"]),
  });
});

test("a new name is kept and in the audit log with the old one; the name of another account is refused", async () => {
  const name = `${shop.account.name}-renamed`;
  await owner.client.account.rename.mutate({ name });
  expect((await member.client.account.get.query({})).name).toBe(name);
  expect(await newest()).toMatchObject({
    ...{ action: "account.rename", userId: owner.userId, ip: expect.any(String) },
    ...{ before: { name: shop.account.name }, after: { name } },
  });
  const other = await newAccount(api.store);
  const failed = owner.client.account.rename.mutate({ name: other.account.name });
  await expect(failed).rejects.toThrow("name: already used by another account");
});

test("a changed role ends the sessions of the member and is in the audit log", async () => {
  const before = (await owner.client.account.members.query({})).find(
    ({ userId }) => userId === member.userId,
  );
  await owner.client.account.setRole.mutate({ userId: member.userId, role: "viewer" });
  expect(await rolesOf()).toMatchObject({ [member.userId]: "viewer" });
  expect(await newest()).toMatchObject({
    ...{ action: "member.setRole", subject: before!.email },
    ...{ before: { role: "member" }, after: { role: "viewer" } },
  });
  await expect(member.client.session.me.query({})).rejects.toMatchObject({ data: { code: "unauthorized" } });
});

test("the last owner keeps the role, until there is another one", async () => {
  const { client, userId } = owner;
  const message = "The account needs another owner first.";
  await expect(client.account.setRole.mutate({ userId, role: "viewer" })).rejects.toThrow(message);
  await expect(client.account.removeMember.mutate({ userId })).rejects.toThrow(message);
  expect(await rolesOf()).toMatchObject({ [userId]: "owner" });
  const second = await signIn(api, shop.account);
  await client.account.removeMember.mutate({ userId });
  expect(await rolesOf(second)).toEqual({ [member.userId]: "member", [second.userId]: "owner" });
});

test("two owners who remove each other at the same time leave one", async () => {
  const second = await signIn(api, shop.account);
  const removals = await Promise.allSettled([
    owner.client.account.removeMember.mutate({ userId: second.userId }),
    second.client.account.removeMember.mutate({ userId: owner.userId }),
  ]);
  expect(removals.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("an invitation is a link of this service, shown once, which can be withdrawn", async () => {
  const invited = { email: "Grace@example.com", role: "viewer" } as const;
  const { id, url } = await owner.client.account.invite.mutate(invited);
  expect(url).toMatch(new RegExp(`^http://localhost:${api.port}/invitation/[\\w-]{43}$`));
  const sha256 = hashSecret(url.split("/").at(-1)!);
  expect(await api.store.invitations.find(sha256)).toMatchObject({
    role: "viewer",
    accountId: shop.account.id,
  });
  const listed = await owner.client.account.invitations.query({});
  expect(listed).toMatchObject([{ id, email: "grace@example.com", role: "viewer" }]);
  expect(JSON.stringify([listed, await newest()])).not.toContain(url.split("/").at(-1));
  await owner.client.account.withdrawInvitation.mutate({ id });
  expect(await api.store.invitations.find(sha256)).toBeUndefined();
  const again = owner.client.account.withdrawInvitation.mutate({ id });
  await expect(again).rejects.toThrow("No such invitation.");
});

test("what belongs to another account is not found", async () => {
  const { client } = await signIn(api, (await newAccount(api.store)).account);
  const { id } = await owner.client.account.invite.mutate({ email: "g@example.com", role: "viewer" });
  const { userId } = member;
  const refused = await Promise.allSettled([
    client.account.withdrawInvitation.mutate({ id }),
    client.account.removeMember.mutate({ userId }),
    client.account.setRole.mutate({ userId, role: "viewer" }),
  ]);
  for (const each of refused)
    expect(each).toMatchObject({ status: "rejected", reason: { data: { code: "not_found" } } });
  expect(await rolesOf()).toMatchObject({ [userId]: "member" });
  expect(await owner.client.account.invitations.query({})).toHaveLength(1);
});

test("the audit log is read in pages, by action, and by the owner of the account alone", async () => {
  for (const name of ["a", "b", "c"])
    await owner.client.account.rename.mutate({ name: `${name}-${shop.account.id}` });
  await owner.client.account.invite.mutate({ email: "g@example.com", role: "viewer" });
  const page = await owner.client.audit.list.query({ action: "account.", limit: 2 });
  expect(page.map(({ after }) => after)).toEqual([
    { name: `c-${shop.account.id}` },
    { name: `b-${shop.account.id}` },
  ]);
  const rest = await owner.client.audit.list.query({ action: "account.", olderThan: page[1]!.id });
  expect(rest.map(({ after }) => after)).toEqual([{ name: `a-${shop.account.id}` }]);
  await expect(member.client.audit.list.query({})).rejects.toMatchObject({ data: { code: "forbidden" } });
  await expect(owner.client.audit.listAll.query({})).rejects.toMatchObject({ data: { code: "forbidden" } });
  const administrator = await signIn(api, shop.account, { isAdministrator: true });
  expect((await administrator.client.audit.listAll.query({ limit: 1 }))[0]).toMatchObject({
    accountId: shop.account.id,
  });
});

test("a change whose entry cannot be written is not made", async () => {
  const sql = plainSql(api.databaseUrl);
  try {
    await sql`alter table audit_log add constraint is_full check (false) not valid`;
    const removed = owner.client.account.removeMember.mutate({ userId: member.userId });
    await expect(removed).rejects.toThrow("failed");
    expect(await rolesOf()).toMatchObject({ [member.userId]: "member" });
  } finally {
    await sql`alter table audit_log drop constraint if exists is_full`;
    await sql.end();
  }
});
