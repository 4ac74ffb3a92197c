import { plainSql } from "@glovebox/store/testing";
import { describe, expect, test } from "vitest";
import { signIn, type SignedIn } from "../testing/admin-client.ts";
import { newAccount, startTestApi, useTestApi } from "../testing/harness.ts";

const api = useTestApi();
const url = "https://api.example/v1";
const SECRET = "s3cret-of-alice";
const PASTED = `- name: alice\n  headers: {Authorization: "Bearer ${SECRET}"}\n`;
const ALICE = { name: "alice", role: "user", headers: { Authorization: `Bearer ${SECRET}` } };

async function shopWith(role: "owner" | "member" | "viewer" = "member", plan: "pro" | "starter" = "pro") {
  const shop = await newAccount(api.store, { plan });
  return { shop, user: await signIn(api, shop.account, { role }) };
}
const save = ({ client }: SignedIn, name = "staging") =>
  client.identitySets.save.mutate({ name, url, identities: PASTED });
/** The message and the fields of a refusal. */
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => "none",
    (error: { message: string; data: { fields?: object } }) => ({ ...error.data, message: error.message }),
  );
describe("saved sets", () => {
  test("saved sets are listed by names, and the audit log has no value of them", async () => {
    const { shop, user } = await shopWith();
    await save(user);
    const { client } = user;
    const sets = await client.identitySets.list.query({});
    const summary = { name: "alice", role: "user", headers: ["Authorization"], cookies: [], query: [] };
    expect(sets).toMatchObject([{ name: "staging", origin: "https://api.example", summary: [summary] }]);
    await client.identitySets.delete.mutate({ id: sets[0]!.id });
    expect(await client.identitySets.list.query({})).toEqual([]);
    const entries = await api.store.audit.list(shop.account.id, { action: "identitySet.", limit: 10 });
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
      ["identitySet.delete", "staging"],
      ["identitySet.save", "staging"],
    ]);
    for (const seen of [sets, entries, api.log]) expect(JSON.stringify(seen)).not.toContain("s3cret");
  });

  test("saved sets of another account are not found", async () => {
    const [mine, other] = [await shopWith(), await shopWith()];
    const { id } = await save(mine.user);
    expect(await other.user.client.identitySets.list.query({})).toEqual([]);
    expect(await refusalOf(other.user.client.identitySets.delete.mutate({ id }))).toMatchObject({
      code: "not_found",
    });
    expect(
      await refusalOf(other.user.client.scans.start.mutate({ url, identitySet: "staging" })),
    ).toMatchObject({
      fields: { identitySet: ["is not a saved set of this target"] },
    });
  });

  test("saved sets are refused to viewers, and to plans without authenticated scanning", async () => {
    const { user: viewer } = await shopWith("viewer");
    expect(await refusalOf(viewer.client.identitySets.list.query({}))).toMatchObject({ code: "forbidden" });
    expect(await refusalOf(save(viewer))).toMatchObject({ code: "forbidden" });
    const { user: onStarter } = await shopWith("owner", "starter");
    expect(await refusalOf(save(onStarter))).toMatchObject({
      code: "forbidden",
      message: "The plan does not include authenticated scanning.",
    });
  });

  test("name the field within the text that is wrong, without its value", async () => {
    const { client } = (await shopWith()).user;
    const identities = `[{name: alice, headers: {Host: ${SECRET}}}]`;
    const refusal = await refusalOf(client.identitySets.save.mutate({ name: "a", url, identities }));
    expect(refusal).toMatchObject({
      message: "identities.0.headers.Host: is set by the scanner itself",
      fields: { "identities.0.headers.Host": ["is set by the scanner itself"] },
    });
    expect(JSON.stringify(refusal)).not.toContain("s3cret");
  });
});

describe("a scan that is started in the dashboard", () => {
  const DENIED = [{ role: "user", deny: ["/admin/**"], allow: ["GET /admin/help"] }];
  const FILE = `identities:\n${PASTED}expectations:\n- {role: user, deny: [/admin/**], allow: [GET /admin/help]}\n`;

  test("a scan that is started in the dashboard gets the expectations of a file that was pasted, and of a set that was saved from one", async () => {
    const { user } = await shopWith();
    const file = { identities: [ALICE], expectations: DENIED };
    const pasted = await user.client.scans.start.mutate({ url, identities: FILE });
    expect(await api.store.identities.ofScan(pasted.id)).toEqual(file);
    await user.client.identitySets.save.mutate({ name: "strict", url, identities: FILE });
    const { id } = await user.client.scans.start.mutate({ url, identitySet: "strict" });
    expect(await api.store.identities.ofScan(id)).toEqual(file);
  });

  test("gets the identities that were pasted", async () => {
    const { user } = await shopWith();
    const { id } = await user.client.scans.start.mutate({ url, identities: PASTED, exclude: ["DELETE"] });
    expect(await api.store.identities.ofScan(id)).toEqual({ identities: [ALICE] });
    const detail = await user.client.scans.get.query({ id });
    expect(detail).toMatchObject({ identityNames: ["alice"], scan: { exclude: ["DELETE"] } });
    expect(JSON.stringify(detail)).not.toContain("s3cret");
  });

  test("gets the identities of a set that was saved for its target, on any path", async () => {
    const { user } = await shopWith();
    const { name: identitySet } = await save(user);
    const { id } = await user.client.scans.start.mutate({ url: "https://api.example/v2?x=1", identitySet });
    expect(await api.store.identities.ofScan(id)).toEqual({ identities: [ALICE] });
  });

  test("a scan that is started in the dashboard is refused with a set of another target, so that credentials go nowhere else", async () => {
    const { user } = await shopWith();
    const { name: identitySet } = await save(user);
    const start = user.client.scans.start.mutate({ url: "https://other.example/v1", identitySet });
    expect(await refusalOf(start)).toMatchObject({
      fields: { identitySet: ["is not a saved set of this target"] },
    });
  });

  test("a scan that is started in the dashboard is refused with both", async () => {
    const { user } = await shopWith();
    const { name: identitySet } = await save(user);
    const start = user.client.scans.start.mutate({ url, identitySet, identities: PASTED });
    expect(await refusalOf(start)).toMatchObject({
      fields: { identitySet: ["must not be given beside `identities`"] },
    });
  });

  test("a scan that is started in the dashboard is refused with a set that no key decrypts, by a message that says what to do", async () => {
    const { user } = await shopWith();
    const { name: identitySet } = await save(user);
    const sql = plainSql(api.databaseUrl);
    await sql`update identity_sets set ciphertext = '1.lost.a.b' where name = ${identitySet}`;
    await sql.end();
    expect(await refusalOf(user.client.scans.start.mutate({ url, identitySet }))).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("cannot be decrypted"),
    });
  });

  test("a scan that is started in the dashboard cannot be retried once its identities were deleted", async () => {
    const { shop, user } = await shopWith();
    const { id } = await user.client.scans.start.mutate({ url, identities: PASTED });
    await api.store.scans.cancel(shop.account.id, id);
    expect(await refusalOf(user.client.scans.retry.mutate({ id }))).toMatchObject({
      fields: { id: ["its identities were deleted when it ended; start a new scan"] },
    });
  });
});

test("an installation without a key says so, and refuses identities", async () => {
  const without = await startTestApi({ databaseUrl: api.databaseUrl, identityKeys: null });
  const { account } = await newAccount(without.store, { plan: "pro" });
  const { client } = await signIn(without, account, { role: "owner" });
  expect(await client.account.get.query({})).toMatchObject({ storesIdentities: false });
  const refusal = { code: "forbidden", message: expect.stringContaining("GLOVEBOX_IDENTITY_KEY_FILE") };
  const start = client.scans.start.mutate({ url, identities: PASTED });
  expect(await refusalOf(start)).toMatchObject(refusal);
  const saving = client.identitySets.save.mutate({ name: "a", url, identities: PASTED });
  expect(await refusalOf(saving)).toMatchObject(refusal);
  await without.close();
});
