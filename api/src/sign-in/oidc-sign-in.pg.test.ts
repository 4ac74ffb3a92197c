import { describe, expect, test } from "vitest";
import { FormBrowser } from "../testing/form-browser.ts";
import { startTestApi } from "../testing/harness.ts";
import {
  database,
  service,
  corp,
  other,
  origin,
  SESSION,
  LOGIN,
  browser,
  sessionOf,
  person,
  signIn,
  invitation,
  withProviders,
} from "../testing/oidc-service.ts";
import { PASSWORD, newUser } from "../testing/users.ts";

withProviders();

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

  test("reads the groups again: what they granted is revoked, and with it the sessions", async () => {
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

  test("a sign-in with a provider does not make anybody the user whose address the provider names, verified or not", async () => {
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
    expect([page.status, page.text]).toEqual([
      403,
      expect.stringContaining("did not return a verified e-mail address"),
    ]);
  });

  test("a sign-in with a provider of another provider with the same subject is somebody else", async () => {
    const login = person(corp, { groups: ["payments"] });
    await signIn(browser(), corp, login);
    other.people.set(login, { email: `${login}@other.example`, groups: ["payments"] });
    const from = browser();
    expect((await signIn(from, other, login)).status).toBe(403);
    expect(from.cookies.has(SESSION)).toBe(false);
  });

  test("a sign-in with a provider is refused to a disabled user", async () => {
    const login = person(corp, { groups: ["payments"] });
    const from = browser();
    await signIn(from, corp, login);
    const { user } = (await sessionOf(from))!;
    await service.store.users.setDisabled(user.id, true);
    expect(await signIn(browser(), corp, login)).toMatchObject({ status: 403 });
    expect(await sessionOf(from)).toBeUndefined();
  });
});

describe("the response of a provider", () => {
  test("the response of a provider is refused in a browser that did not begin the sign-in", async () => {
    const begun = await browser().get("/sign-in/oidc/corp");
    const callback = await corp.logIn(begun.location!, person(corp, { groups: ["payments"] }));
    const victim = browser();
    expect((await victim.get(callback)).status).toBe(400);
    await victim.get("/sign-in/oidc/corp"); // with another login, the state is another
    expect((await victim.get(callback)).status).toBe(403);
    expect(victim.cookies.has(SESSION)).toBe(false);
  });

  test("the response of a provider is accepted once", async () => {
    const from = browser();
    const begun = await from.get("/sign-in/oidc/corp");
    const login = from.cookies.get(LOGIN)!;
    const callback = await corp.logIn(begun.location!, person(corp, { groups: ["payments"] }));
    expect((await from.get(callback)).status).toBe(303);
    from.cookies.set(LOGIN, login);
    expect((await from.get(callback)).status).toBe(403);
  });

  test("the response of a provider is refused at the callback of another provider", async () => {
    const from = browser();
    const begun = await from.get("/sign-in/oidc/corp");
    const callback = await corp.logIn(begun.location!, person(corp, { groups: ["payments"] }));
    expect((await from.get(callback.replace("/corp/", "/other/"))).status).toBe(400);
  });

  test("the response of one provider is refused as the response of another, regardless of the issuer that it names", async () => {
    const from = browser();
    const begun = await from.get("/sign-in/oidc/corp");
    const callback = new URL(await corp.logIn(begun.location!, person(corp, { groups: ["payments"] })));
    callback.searchParams.set("iss", other.issuer);
    expect((await from.get(callback.href)).status).toBe(403);
    await from.get("/sign-in/oidc/other"); // the login under way is with the other provider now
    expect((await from.get(callback.href.replace("/corp/", "/other/"))).status).toBe(403);
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
  ])("the response of a provider is refused with the login %j in the cookie", async (value) => {
    const from = browser();
    from.cookies.set(LOGIN, value);
    expect((await from.get("/sign-in/oidc/corp/callback?code=x&state=y")).status).toBe(400);
  });

  test("the response of a provider that is an error is not a sign-in", async () => {
    const from = browser();
    const state = new URL((await from.get("/sign-in/oidc/corp")).location!).searchParams.get("state");
    const page = await from.get(
      `/sign-in/oidc/corp/callback?error=access_denied&state=${state}&iss=${corp.issuer}`,
    );
    expect(page.status).toBe(403);
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
