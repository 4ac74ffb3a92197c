import { randomBytes } from "node:crypto";
import { hashSecret, newToken } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { FormBrowser, type Page } from "../testing/form-browser.ts";
import { newAccount, startTestApi, type TestApi } from "../testing/harness.ts";
import { startIdentityProvider, type IdentityProvider, type Person } from "../testing/identity-provider.ts";
import { PASSWORD, newUser } from "../testing/users.ts";

let database: TestDatabase;
let service: TestApi;
let origin: string;
let corp: IdentityProvider;
let other: IdentityProvider;
let account: Awaited<ReturnType<typeof newAccount>>["account"];

beforeAll(async () => {
  database = await testDatabase();
  [corp, other] = await Promise.all([
    startIdentityProvider("corp", {
      administrators: ["admins"],
      roles: [
        { group: "viewers", account: "payments", role: "viewer" },
        { group: "payments", account: "payments", role: "owner" },
      ],
    }),
    startIdentityProvider("other"),
  ]);
  const settings = { trustProxy: 1, oidcProviders: [corp.setting, other.setting] };
  service = await startTestApi({ databaseUrl: database.url, settings });
  origin = `http://localhost:${service.port}`;
  for (const provider of [corp, other]) provider.serve(origin);
  account = await service.store.accounts.declare({ name: "payments", plan: "pro" });
});
afterAll(async () => {
  await service.close();
  await Promise.all([corp.close(), other.close()]);
  await database.drop();
});

const SESSION = "__Host-glovebox";
const LOGIN = "__Host-glovebox-oidc";
let addresses = 0;
const browser = () => new FormBrowser(origin, { "X-Forwarded-For": `198.51.100.${++addresses}` });
const sessionOf = (from: FormBrowser) =>
  service.store.sessions.find(hashSecret(from.cookies.get(SESSION) ?? ""));
const newLogin = () => randomBytes(6).toString("hex");

/** A person whom the provider knows; the login. */
function person(at: IdentityProvider, claims: Person = {}): string {
  const login = newLogin();
  at.people.set(login, { email: `${login}@example.com`, email_verified: true, name: "Ada", ...claims });
  return login;
}

const OWN_PAGE = { "Sec-Fetch-Site": "same-origin" };

/** The whole way: from the link on a page of the service through the pages of the provider and back. */
async function signIn(from: FormBrowser, at: IdentityProvider, login: string, query = ""): Promise<Page> {
  const begun = await from.get(`/sign-in/oidc/${at.setting.id}${query}`, OWN_PAGE);
  expect(begun.status).toBe(303);
  return from.get(await at.logIn(begun.location!, login));
}

const consent = (from: FormBrowser, at: IdentityProvider, headers = {}) =>
  from.post(`/sign-in/oidc/${at.setting.id}/consent`, {}, headers);

/** The whole way for a link or an invitation, with the form at its end that names both sides. */
async function signInAndConsent(
  from: FormBrowser,
  at: IdentityProvider,
  login: string,
  query: string,
): Promise<Page> {
  const page = await signIn(from, at, login, query);
  return page.status === 200 ? consent(from, at) : page;
}

const confirm = (from: FormBrowser, password = PASSWORD) =>
  from.post("/profile/confirm", { password, next: "/profile" });

async function withPassword(email: string): Promise<FormBrowser> {
  const from = browser();
  expect((await from.post("/sign-in", { email, password: PASSWORD })).status).toBe(303);
  return from;
}

async function invitation(over: object = {}): Promise<string> {
  const token = newToken();
  const membership = { accountId: account.id, role: "member" as const };
  const email = `${newLogin()}@example.com`;
  await service.store.invitations.create({ sha256: hashSecret(token), email, membership, days: 7, ...over });
  return token;
}

describe("a sign-in with a provider", () => {
  test("begins with a link, for a form may not lead elsewhere", async () => {
    const { text } = await browser().get("/sign-in?next=%2Fscans");
    expect(text).toContain(`href="/sign-in/oidc/corp?next=%2Fscans"`);
  });

  test("asks for a code with PKCE, state and nonce, and to come back to the public URL", async () => {
    const from = new FormBrowser(origin, { "X-Forwarded-Host": "evil.example" });
    const { searchParams } = new URL((await from.get("/sign-in/oidc/corp")).location!);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      redirect_uri: `${origin}/sign-in/oidc/corp/callback`,
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test("makes a user of somebody whose groups have a role, and goes on to the page that was asked for", async () => {
    const login = person(corp, { groups: ["payments", "viewers", "unrelated"] });
    const from = browser();
    expect(await signIn(from, corp, login, "?next=%2Fscans")).toMatchObject({
      status: 303,
      location: "/scans",
    });
    expect(await sessionOf(from)).toMatchObject({
      user: { email: `${login}@example.com`, name: "Ada", isAdministrator: false },
      memberships: [{ accountName: "payments", role: "owner" }],
    });
    expect(from.cookies.has(LOGIN)).toBe(false);
  });

  test("lets nobody in whose groups have no role", async () => {
    const from = browser();
    const page = await signIn(from, corp, person(corp, { groups: ["unrelated"] }));
    expect([page.status, page.text]).toEqual([403, expect.stringContaining("Ask for an invitation")]);
    expect(from.cookies.has(SESSION)).toBe(false);
  });

  test("reads the groups anew: what they gave goes, and with it the sessions", async () => {
    const login = person(corp, { groups: ["admins", "payments"] });
    const [first, second] = [browser(), browser()];
    await signIn(first, corp, login);
    expect(await sessionOf(first)).toMatchObject({ user: { isAdministrator: true } });
    corp.people.set(login, { ...corp.people.get(login), groups: ["viewers"] });
    await signIn(second, corp, login);
    expect(await sessionOf(second)).toMatchObject({
      user: { isAdministrator: false },
      memberships: [{ role: "viewer" }],
    });
    expect(await sessionOf(first)).toBeUndefined();
  });

  test("does not make anybody the user whose address the provider names, verified or not", async () => {
    for (const email_verified of [true, false]) {
      const victim = await newUser(service.store, { isAdministrator: true });
      const from = browser();
      const page = await signIn(
        from,
        corp,
        person(corp, { email: victim.email, email_verified, groups: ["payments"] }),
      );
      expect(page.status).toBe(403);
      expect(from.cookies.has(SESSION)).toBe(false);
    }
  });

  test("makes no user of an address that the provider has not verified", async () => {
    const page = await signIn(browser(), corp, person(corp, { email_verified: false, groups: ["payments"] }));
    expect([page.status, page.text]).toEqual([403, expect.stringContaining("no verified e-mail address")]);
  });

  test("of another provider with the same subject is somebody else", async () => {
    const login = person(corp, { groups: ["payments"] });
    await signIn(browser(), corp, login);
    other.people.set(login, { email: `${login}@other.example`, groups: ["payments"] });
    const from = browser();
    expect((await signIn(from, other, login)).status).toBe(403);
    expect(from.cookies.has(SESSION)).toBe(false);
  });

  test("is refused to a disabled user", async () => {
    const login = person(corp, { groups: ["payments"] });
    const from = browser();
    await signIn(from, corp, login);
    const { user } = (await sessionOf(from))!;
    await service.store.users.setDisabled(user.id, true);
    expect(await signIn(browser(), corp, login)).toMatchObject({ status: 403 });
    expect(await sessionOf(from)).toBeUndefined();
  });
});

describe("the answer of a provider", () => {
  test("is refused in a browser that did not begin the sign-in", async () => {
    const begun = await browser().get("/sign-in/oidc/corp");
    const answer = await corp.logIn(begun.location!, person(corp, { groups: ["payments"] }));
    const victim = browser();
    expect((await victim.get(answer)).status).toBe(400);
    await victim.get("/sign-in/oidc/corp"); // with a login of its own, the state is another
    expect((await victim.get(answer)).status).toBe(403);
    expect(victim.cookies.has(SESSION)).toBe(false);
  });

  test("is accepted once", async () => {
    const from = browser();
    const begun = await from.get("/sign-in/oidc/corp");
    const login = from.cookies.get(LOGIN)!;
    const answer = await corp.logIn(begun.location!, person(corp, { groups: ["payments"] }));
    expect((await from.get(answer)).status).toBe(303);
    from.cookies.set(LOGIN, login);
    expect((await from.get(answer)).status).toBe(403);
  });

  test("is refused at the callback of another provider", async () => {
    const from = browser();
    const begun = await from.get("/sign-in/oidc/corp");
    const answer = await corp.logIn(begun.location!, person(corp, { groups: ["payments"] }));
    expect((await from.get(answer.replace("/corp/", "/other/"))).status).toBe(400);
  });

  test("of one provider is refused as that of another, whatever it says of its issuer", async () => {
    const from = browser();
    const begun = await from.get("/sign-in/oidc/corp");
    const answer = new URL(await corp.logIn(begun.location!, person(corp, { groups: ["payments"] })));
    answer.searchParams.set("iss", other.issuer);
    expect((await from.get(answer.href)).status).toBe(403);
    await from.get("/sign-in/oidc/other"); // the login under way is with the other provider now
    expect((await from.get(answer.href.replace("/corp/", "/other/"))).status).toBe(403);
    expect(from.cookies.has(SESSION)).toBe(false);
  });

  test.each(["https://evil.example/", "//evil.example/", "/\\evil.example/", "/.//evil.example"])(
    "never leads on to %s",
    async (next) => {
      const login = person(corp, { groups: ["payments"] });
      const { location } = await signIn(browser(), corp, login, `?next=${encodeURIComponent(next)}`);
      expect(new URL(location!, origin).origin).toBe(origin);
    },
  );

  test.each([
    "not base64",
    Buffer.from("[]").toString("base64url"),
    Buffer.from("null").toString("base64url"),
  ])("is refused with the login %j in the cookie", async (value) => {
    const from = browser();
    from.cookies.set(LOGIN, value);
    expect((await from.get("/sign-in/oidc/corp/callback?code=x&state=y")).status).toBe(400);
  });

  test("that is an error is no sign-in", async () => {
    const from = browser();
    const state = new URL((await from.get("/sign-in/oidc/corp")).location!).searchParams.get("state");
    const page = await from.get(
      `/sign-in/oidc/corp/callback?error=access_denied&state=${state}&iss=${corp.issuer}`,
    );
    expect(page.status).toBe(403);
  });
});

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
  ])("is sent to no provider to link it by %s", async (_from, headers) => {
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

  test("links nothing without the form, nor with that of another site or twice", async () => {
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

  test("links nothing by an answer of a provider that the browser has made up", async () => {
    const from = await withPassword((await newUser(service.store)).email);
    await confirm(from);
    const { sessionId } = (await sessionOf(from))!;
    const claims = { issuer: other.issuer, subject: "victim", groups: [], isEmailVerified: true };
    const answer = { provider: "other", claims, purpose: { for: "link", sessionId } };
    from.cookies.set(LOGIN, Buffer.from(JSON.stringify(answer)).toString("base64url"));
    expect((await consent(from, other)).status).toBe(400);
  });

  test("of a provider alone confirms by signing in again", async () => {
    const login = person(corp, { groups: ["payments"] });
    const from = browser();
    await signIn(from, corp, login);
    expect(await sessionOf(from)).toMatchObject({ isConfirmed: true });
    const linked = await signInAndConsent(from, other, person(other), "?link=1");
    expect(linked.location).toBe("/profile?done=linked");
  });

  test("cannot link an identity that belongs to somebody else", async () => {
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
    const answer = await other.logIn(begun.location!, login);
    const later = await withPassword(two.email);
    from.cookies.set(SESSION, later.cookies.get(SESSION)!);
    expect((await from.get(answer)).status).toBe(403);
    expect(
      await service.store.users.findByIdentity({ issuer: other.issuer, subject: login }),
    ).toBeUndefined();
  });
});

describe("an invitation", () => {
  test("is accepted with a provider, once, whatever address the provider names", async () => {
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

  test("is not accepted by a link on another site", async () => {
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

  test("for the address of a user makes nobody that user", async () => {
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

describe("with GLOVEBOX_SIGN_IN=oidc-only", () => {
  test("no password opens anything, not even a right one", async () => {
    const settings = { signIn: "oidc-only", oidcProviders: [corp.setting] } as const;
    const strict = await startTestApi({ databaseUrl: database.url, settings });
    try {
      const at = new FormBrowser(`http://localhost:${strict.port}`);
      const { email, userId } = await newUser(service.store);
      expect((await at.get("/sign-in")).text).not.toContain("password");
      expect((await at.post("/sign-in", { email, password: PASSWORD })).status).toBe(403);
      const token = await invitation();
      expect((await at.get(`/invitation/${token}`)).text).not.toContain(`type="password"`);
      expect((await at.post(`/invitation/${token}`, { name: "Ada", password: PASSWORD })).status).toBe(403);
      const reset = await invitation({ email: null, membership: undefined, userId });
      expect((await at.post(`/invitation/${reset}`, { password: PASSWORD })).status).toBe(403);
    } finally {
      await strict.close();
    }
  });
});

test("a provider that cannot be reached is said, and the service goes on", async () => {
  const setting = { ...other.setting, id: "gone", issuer: "http://127.0.0.1:1" };
  const lonely = await startTestApi({ databaseUrl: database.url, settings: { oidcProviders: [setting] } });
  try {
    const at = new FormBrowser(`http://localhost:${lonely.port}`);
    const page = await at.get("/sign-in/oidc/gone");
    expect([page.status, page.text]).toEqual([503, expect.stringContaining("cannot be reached")]);
    expect((await at.get("/sign-in/oidc/unknown")).status).toBe(404);
  } finally {
    await lonely.close();
  }
});

test("no log line has a code, a token or an address of a user", () => {
  expect(service.log.join("\n")).not.toMatch(/code=|state=|@example\.com|a-client-secret|[?&]invitation=/);
});
