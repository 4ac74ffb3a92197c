import { hashSecret, openStore, type Store } from "@glovebox/store";
import { freshDatabase } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { UserError } from "../command-line.ts";
import type { ServiceDatabase } from "../service-database.ts";
import { renderUsers } from "./render-users.ts";
import { changeUser, invite, listUsers, resetLink } from "./users.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseUrl: string; // of test/support/postgres.ts
  }
}

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let at: ServiceDatabase;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
  at = { url: database.url, setting: "DATABASE_URL", publicUrl: "https://glovebox.example" };
  await store.accounts.declare({ name: "payments", plan: "pro", owner: "Team@example.com" });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const tokenOf = (link: string) => link.split("/").at(-1)!;
const accept = (link: string) =>
  store.invitations.accept(hashSecret(tokenOf(link)), { name: "Ada", passwordHash: "$argon2id$" });
const userNamed = async (email: string) => (await store.users.list()).find((user) => user.email === email);

describe("glovebox users", () => {
  test("invites to an account by a link that the public URL begins", async () => {
    const link = await invite({ email: "Ada@Example.com", account: "payments", role: "viewer" }, at);
    expect(link).toMatch(/^https:\/\/glovebox\.example\/invitation\/[\w-]{43}$/);
    await accept(link);
    expect(await userNamed("ada@example.com")).toMatchObject({ memberships: [{ role: "viewer" }] });
  });

  test("names the owner of the accounts file until invited, and invites that owner without being told the address", async () => {
    expect(renderUsers(await listUsers(at))).toContain(
      "not invited: Team@example.com (glovebox users invite --account payments)",
    );
    const link = await invite({ account: "payments" }, at);
    const shown = renderUsers(await listUsers(at));
    expect(shown).toContain("Invited: team@example.com to payments");
    expect(shown).not.toContain(tokenOf(link));
    await accept(link);
    expect(await userNamed("team@example.com")).toMatchObject({ memberships: [{ role: "owner" }] });
    expect((await listUsers(at)).owners).toEqual([]);
  });

  test("gives a link that sets a new password, and can remove lost passkeys with it", async () => {
    await accept(await invite({ email: "lost@example.com", administrator: true }, at));
    const { id } = (await userNamed("lost@example.com"))!;
    const key = { id: "key", userId: id, name: "k", publicKey: "", counter: 0, transports: [] };
    await store.passkeys.add(key);
    await resetLink("lost@example.com", { withoutPasskeys: false }, at);
    expect(await store.passkeys.list(id)).toHaveLength(1);
    const link = await resetLink("lost@example.com", { withoutPasskeys: true }, at);
    expect(await store.passkeys.list(id)).toEqual([]);
    expect(await accept(link)).toEqual({ outcome: "accepted", userId: id });
  });

  test("disables, enables, and makes an administrator", async () => {
    const email = "ada@example.com";
    for (const [to, expected] of [
      [{ isDisabled: true }, { disabledAt: expect.any(Date) }],
      [{ isDisabled: false }, { disabledAt: null }],
      [{ isAdministrator: true }, { isAdministrator: true }],
      [{ isAdministrator: false }, { isAdministrator: false }],
    ] as const) {
      await changeUser(email, to, at);
      expect(await userNamed(email)).toMatchObject(expected);
    }
  });

  test("records changes in the audit log, without a link", async () => {
    const email = "ada@example.com";
    await changeUser(email, { isDisabled: true }, at);
    await changeUser(email, { isDisabled: false }, at);
    const link = await resetLink(email, { withoutPasskeys: true }, at);
    const entries = await store.audit.list(undefined, { limit: 3 });
    const by = { actor: "command line", userId: null, requestId: null, subject: email };
    expect(entries).toMatchObject([
      { ...by, action: "user.resetPassword", after: { passkeysRemoved: 0 } },
      { ...by, action: "user.enable", before: { isDisabled: true } },
      { ...by, action: "user.disable", before: { isDisabled: false } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(tokenOf(link));
  });

  test.each([
    [{ email: "a@example.com" }, "--account: say which account to join, or use --administrator"],
    [{ email: "a@example.com", account: "unknown" }, "--account: not found"],
    [{ email: "nobody", account: "payments" }, "--email: must be an e-mail address"],
    [{ administrator: true }, "--email: must be an e-mail address"],
  ])("refuses to invite by %j", async (options, message) => {
    await expect(invite(options, at)).rejects.toThrow(new UserError(message));
  });

  test("says that there is no user with an address", async () => {
    const expected = new UserError("EMAIL: not found");
    await expect(resetLink("x@example.com", { withoutPasskeys: false }, at)).rejects.toThrow(expected);
    await expect(changeUser("x@example.com", { isDisabled: true }, at)).rejects.toThrow(expected);
  });
});
