import { hashSecret } from "@glovebox/store";
import { describe, expect, test } from "vitest";
import {
  service,
  corp,
  other,
  SESSION,
  LOGIN,
  browser,
  sessionOf,
  newLogin,
  person,
  OWN_PAGE,
  signIn,
  consent,
  signInAndConsent,
  confirm,
  withPassword,
  invitation,
  withProviders,
} from "../testing/oidc-service.ts";
import { PASSWORD, newUser } from "../testing/users.ts";

withProviders();

describe("a user who is signed in", () => {
  test("links a provider, and signs in with it from then on", async () => {
    const { email, userId } = await newUser(service.store);
    const login = person(other);
    const at = await withPassword(email);
    await confirm(at);
    const asked = await signIn(at, other, login, "?link=1");
    expect(asked).toMatchObject({ status: 200, text: expect.stringContaining(`${login}@example.com`) });
    expect(asked.text).toContain(`Link to ${email}`);
    expect(await consent(at, other)).toMatchObject({ status: 303, location: "/profile?done=linked" });
    const from = browser();
    await signIn(from, other, login);
    expect(await sessionOf(from)).toMatchObject({ user: { id: userId } });
  });

  test.each([
    ["another site", { "Sec-Fetch-Site": "cross-site", Referer: "https://evil.example/" }],
    ["a sibling host", { "Sec-Fetch-Site": "same-site" }],
    ["the address bar", { "Sec-Fetch-Site": "none" }],
    ["a browser that does not say from where", {}],
  ])("a user who is signed in is sent to no provider to link it by %s", async (_from, headers) => {
    const from = await withPassword((await newUser(service.store)).email);
    await confirm(from);
    const page = await from.get("/sign-in/oidc/other?link=1", headers);
    expect([page.status, page.location]).toEqual([403, null]);
    expect(from.cookies.has(LOGIN)).toBe(false);
  });

  test("gives the password before linking, and a stolen cookie does not do it", async () => {
    const { email } = await newUser(service.store);
    const from = await withPassword(email);
    const asked = await from.get("/sign-in/oidc/other?link=1", OWN_PAGE);
    const next = "/profile/confirm?next=%2Fsign-in%2Foidc%2Fother%3Flink%3D1";
    expect(asked).toMatchObject({ status: 303, location: next });
    expect((await from.get(next)).text).toContain(`type="password"`);
    expect((await confirm(from, "a wrong password")).status).toBe(400);
    expect((await from.get("/sign-in/oidc/other?link=1", OWN_PAGE)).location).toBe(next);
    const stolen = from.cookies.get(SESSION)!;
    expect(await confirm(from)).toMatchObject({ status: 303, location: "/profile" });
    expect(await service.store.sessions.find(hashSecret(stolen))).toBeUndefined();
    expect((await from.get("/sign-in/oidc/other?link=1", OWN_PAGE)).location).toContain(other.issuer);
  });

  test("links nothing without the form, nor with the form of another site or twice", async () => {
    const from = await withPassword((await newUser(service.store)).email);
    await confirm(from);
    const login = person(other);
    await signIn(from, other, login, "?link=1");
    const identity = { issuer: other.issuer, subject: login };
    expect((await consent(from, other, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await consent(from, corp)).status).toBe(400);
    expect((await consent(from, other)).status).toBe(400); // the one before has used it up
    expect(await service.store.users.findByIdentity(identity)).toBeUndefined();
  });

  test("links nothing by a response of a provider that the browser has made up", async () => {
    const from = await withPassword((await newUser(service.store)).email);
    await confirm(from);
    const { sessionId } = (await sessionOf(from))!;
    const claims = { issuer: other.issuer, subject: "victim", groups: [], isEmailVerified: true };
    const response = { provider: "other", claims, purpose: { for: "link", sessionId } };
    from.cookies.set(LOGIN, Buffer.from(JSON.stringify(response)).toString("base64url"));
    expect((await consent(from, other)).status).toBe(400);
  });

  test("a user who is signed in of a provider alone confirms by signing in again", async () => {
    const login = person(corp, { groups: ["payments"] });
    const from = browser();
    await signIn(from, corp, login);
    expect(await sessionOf(from)).toMatchObject({ isConfirmed: true });
    const linked = await signInAndConsent(from, other, person(other), "?link=1");
    expect(linked.location).toBe("/profile?done=linked");
  });

  test("a user who is signed in cannot link an identity that belongs to somebody else", async () => {
    const login = person(corp, { groups: ["payments"] });
    await signIn(browser(), corp, login);
    const from = await withPassword((await newUser(service.store)).email);
    await confirm(from);
    expect((await signInAndConsent(from, corp, login, "?link=1")).status).toBe(403);
  });

  test("links nothing when another user is signed in on the way back", async () => {
    const [one, two] = [await newUser(service.store), await newUser(service.store)];
    const from = await withPassword(one.email);
    await confirm(from);
    const login = person(other);
    const begun = await from.get("/sign-in/oidc/other?link=1", OWN_PAGE);
    const response = await other.logIn(begun.location!, login);
    const later = await withPassword(two.email);
    from.cookies.set(SESSION, later.cookies.get(SESSION)!);
    expect((await from.get(response)).status).toBe(403);
    expect(
      await service.store.users.findByIdentity({ issuer: other.issuer, subject: login }),
    ).toBeUndefined();
  });
});

describe("an invitation", () => {
  test("an invitation is accepted with a provider, once, regardless of the address that the provider names", async () => {
    const token = await invitation();
    expect((await browser().get(`/invitation/${token}`)).text).toContain(
      `/sign-in/oidc/other?invitation=${token}`,
    );
    const from = browser();
    const asked = await signIn(from, other, person(other, { email_verified: false }), `?invitation=${token}`);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain("member of the account “payments”");
    expect(from.cookies.has(SESSION)).toBe(false);
    expect((await consent(from, other)).status).toBe(303);
    expect(await sessionOf(from)).toMatchObject({
      memberships: [{ accountName: "payments", role: "member" }],
    });
    expect((await signIn(browser(), other, person(other), `?invitation=${token}`)).status).toBe(403);
  });

  test("an invitation is not accepted by a link on another site", async () => {
    const token = await invitation();
    const from = browser();
    for (const site of ["cross-site", "same-site", "none"])
      expect(
        (await from.get(`/sign-in/oidc/other?invitation=${token}`, { "Sec-Fetch-Site": site })).status,
      ).toBe(403);
    expect(from.cookies.has(LOGIN)).toBe(false);
  });

  test("links no identity to the user who is signed in, and leaves the account in view", async () => {
    const login = person(corp, { groups: ["viewers"] });
    const from = browser();
    await signIn(from, corp, login);
    const before = (await sessionOf(from))!;
    const aaa = await service.store.accounts.declare({ name: `aaa-${newLogin()}`, plan: "pro" });
    const token = await invitation({ membership: { accountId: aaa.id, role: "member" } });
    expect((await signInAndConsent(from, corp, login, `?invitation=${token}`)).status).toBe(303);
    const after = (await sessionOf(from))!;
    expect(after.memberships.map(({ accountId }) => accountId)).toContain(aaa.id);
    expect(after.accountId).toBe(before.accountId);
    const stranger = person(other);
    const more = await invitation();
    await signInAndConsent(from, other, stranger, `?invitation=${more}`);
    const known = await service.store.users.findByIdentity({ issuer: other.issuer, subject: stranger });
    expect(known!.id).not.toBe(before.user.id);
  });

  test("an invitation for the address of a user makes nobody that user", async () => {
    const victim = await newUser(service.store);
    const token = await invitation({ email: victim.email });
    const at = browser();
    expect((await signInAndConsent(at, other, person(other), `?invitation=${token}`)).status).toBe(403);
    const page = await browser().post(`/invitation/${token}`, { name: "Mallory", password: PASSWORD });
    expect([page.status, page.text]).toEqual([403, expect.stringContaining("Sign in as that user")]);
    const from = await withPassword(victim.email);
    expect((await from.post(`/invitation/${token}`)).status).toBe(303);
    expect((await sessionOf(from))!.memberships).toHaveLength(2);
  });
});
