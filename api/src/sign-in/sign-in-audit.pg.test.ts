import { hashSecret, newToken } from "@glovebox/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { FormBrowser } from "../testing/form-browser.ts";
import { startTestApi, type TestApi } from "../testing/harness.ts";
import { startIdentityProvider, type IdentityProvider } from "../testing/identity-provider.ts";
import { PASSWORD, newUser, type TestUser } from "../testing/users.ts";

let database: TestDatabase;
let service: TestApi;
let corp: IdentityProvider;
let origin: string;

beforeAll(async () => {
  database = await testDatabase();
  corp = await startIdentityProvider("corp", { administrators: ["admins"], roles: [] });
  const settings = { trustProxy: 1, oidcProviders: [corp.setting] };
  service = await startTestApi({ databaseUrl: database.url, settings });
  origin = `http://localhost:${service.port}`;
  corp.serve(origin);
});
afterAll(async () => {
  await service.close();
  await corp.close();
  await database.drop();
});

let addresses = 0;
const browser = (ip = `198.51.100.${++addresses}`) => new FormBrowser(origin, { "X-Forwarded-For": ip });

async function signedIn({ email }: TestUser, ip?: string): Promise<FormBrowser> {
  const from = browser(ip);
  expect((await from.post("/sign-in", { email, password: PASSWORD })).status).toBe(303);
  return from;
}

/** The entries about a subject, the oldest first. */
const entriesAbout = async (subject: string) => {
  const entries = await service.store.audit.list(undefined, { limit: 100 });
  return entries.filter((entry) => entry.subject === subject).toReversed();
};
const actionsAbout = async (subject: string) => (await entriesAbout(subject)).map(({ action }) => action);

describe("the audit log", () => {
  test("says who signed in, how and from where", async () => {
    const user = await newUser(service.store);
    await signedIn(user, "203.0.113.7");
    expect(await entriesAbout(user.email)).toMatchObject([
      {
        ...{ action: "session.signIn", userId: user.userId, actor: user.email, ip: "203.0.113.7" },
        ...{ accountId: null, requestId: expect.any(String), after: { method: "password" } },
      },
    ]);
    expect(await service.store.users.list()).toContainEqual(
      expect.objectContaining({ id: user.userId, lastSignInAt: expect.any(Date) }),
    );
  });

  test("says what was refused, in the same way for an unknown address, and not which password was tried", async () => {
    const disabled = await newUser(service.store);
    await service.store.users.setDisabled(disabled.userId, true);
    const { email } = await newUser(service.store);
    const tried = { [email]: "a wrong password", "nobody@example.com": "a wrong password" };
    for (const [address, password] of Object.entries({ ...tried, [disabled.email]: PASSWORD }))
      await browser().post("/sign-in", { email: address, password });
    const refused = { action: "session.refuse", userId: null, actor: "not signed in" };
    expect(await entriesAbout(email)).toMatchObject([{ ...refused, after: { reason: "password" } }]);
    expect(await entriesAbout("nobody@example.com")).toMatchObject([
      { ...refused, after: { reason: "password" } },
    ]);
    expect(await entriesAbout(disabled.email)).toMatchObject([{ ...refused, after: { reason: "disabled" } }]);
    expect(JSON.stringify(await service.store.audit.list(undefined, { limit: 100 }))).not.toMatch(
      /wrong password|correct horse/,
    );
  });

  test("the audit log does not have a password that was typed as the address", async () => {
    await browser().post("/sign-in", { email: "hunter2 in the wrong field", password: "" });
    const [newest] = await service.store.audit.list(undefined, { limit: 1 });
    expect(newest).toMatchObject({ action: "session.refuse", subject: "not an e-mail address" });
  });

  test("says once that an address makes too many attempts", async () => {
    const attempt = () =>
      browser("203.0.113.99").post("/sign-in", { email: "flood@example.com", password: PASSWORD });
    // Sent together: a name that is tried often gets its response more slowly.
    const statuses = await Promise.all(Array.from({ length: 24 }, async () => (await attempt()).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    const actions = await actionsAbout("flood@example.com");
    expect(actions.filter((action) => action === "session.throttle")).toHaveLength(1);
    expect(actions).toHaveLength(21);
  });

  test("says which sessions a user ended, and that the password changed", async () => {
    const user = await newUser(service.store);
    const [first, second] = [await signedIn(user), await signedIn(user)];
    await first.post("/sign-out");
    await second.post("/profile/password", { current: PASSWORD, password: "another long password" });
    await second.post("/sign-out/everywhere");
    expect(await actionsAbout(user.email)).toEqual([
      "session.signIn",
      "session.signIn",
      "session.end",
      "user.setPassword",
      "session.signOutEverywhere",
    ]);
  });

  test("the audit log has an accepted invitation for the account that the user joins, and a new password for none", async () => {
    const { accountId } = await newUser(service.store);
    const link = async (over: object): Promise<string> => {
      const token = newToken();
      await service.store.invitations.create({ sha256: hashSecret(token), email: null, days: 7, ...over });
      return token;
    };
    const email = "joins@example.com";
    const joins = await link({ email, membership: { accountId, role: "viewer" } });
    await browser().post(`/invitation/${joins}`, { name: "Ada", password: PASSWORD });
    const [accepted] = await service.store.audit.list(accountId, { limit: 1 });
    expect(accepted).toMatchObject({
      action: "invitation.accept",
      subject: email,
      after: { role: "viewer" },
    });
    const reset = await link({ userId: accepted!.userId });
    await browser().post(`/invitation/${reset}`, { password: "another long password" });
    expect(await actionsAbout(email)).toEqual([
      "invitation.accept",
      "session.signIn",
      "user.setPassword",
      "session.signIn",
    ]);
    expect(JSON.stringify(await entriesAbout(email))).not.toContain(joins);
  });

  test("says which user a provider brought, and with which roles, when they change", async () => {
    corp.people.set("grace", {
      email: "grace@example.com",
      email_verified: true,
      name: "Grace",
      groups: ["admins"],
    });
    const signIn = async (): Promise<void> => {
      const from = browser();
      const { location } = await from.get("/sign-in/oidc/corp");
      expect((await from.get(await corp.logIn(location!, "grace"))).status).toBe(303);
    };
    await signIn();
    await signIn();
    expect(await entriesAbout("grace@example.com")).toMatchObject([
      { action: "user.create", after: { issuer: corp.setting.issuer } },
      { action: "user.setProviderRoles", after: { roles: [], isAdministrator: true } },
      { action: "session.signIn", after: { method: "corp" } },
      { action: "session.signIn", after: { method: "corp" } },
    ]);
  });
});
