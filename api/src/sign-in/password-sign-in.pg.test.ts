import { hashSecret, newToken } from "@glovebox/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signIn } from "../testing/admin-program.ts";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { FormBrowser } from "../testing/form-browser.ts";
import { startTestApi, type TestApi } from "../testing/harness.ts";
import { PASSWORD, newUser } from "../testing/users.ts";

let database: TestDatabase;
let service: TestApi;
let origin: string;

beforeAll(async () => {
  database = await testDatabase();
  service = await startTestApi({ databaseUrl: database.url, settings: { trustProxy: 1 } });
  origin = `http://localhost:${service.port}`;
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const SESSION = "__Host-glovebox";
let addresses = 0;
/** A browser at its own address, so that no test slows another. */
const browser = (): FormBrowser =>
  new FormBrowser(origin, { "X-Forwarded-For": `198.51.100.${++addresses}` });
const sessionOf = (from: FormBrowser) =>
  service.store.sessions.find(hashSecret(from.cookies.get(SESSION) ?? ""));

async function signedIn(email: string): Promise<FormBrowser> {
  const from = browser();
  expect((await from.post("/sign-in", { email, password: PASSWORD })).status).toBe(303);
  return from;
}

describe("the sign-in page", () => {
  test("loads nothing from elsewhere, runs no inline code and is in no frame", async () => {
    const { status, headers, text } = await browser().get("/sign-in");
    expect(status).toBe(200);
    const policy = headers.get("content-security-policy")!;
    for (const directive of [
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "trusted-types 'none'",
    ])
      expect(policy).toContain(directive);
    expect(policy).not.toContain("unsafe");
    expect(text).not.toMatch(/<style|\sstyle=|<script|\son\w+=/);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("gives no session before the sign-in", async () => {
    expect((await browser().get("/sign-in")).headers.getSetCookie()).toEqual([]);
  });

  test("shows anything that was typed as text", async () => {
    const hostile = `"><script>alert(1)</script>`;
    const { text } = await browser().post("/sign-in", { email: hostile, password: "x", next: hostile });
    expect(text).not.toContain("<script>alert");
    expect(text).toContain("&quot;&gt;&lt;script&gt;");
  });

  test("the sign-in page is the public URL's, for another name of this machine", async () => {
    const { status, location } = await new FormBrowser(service.url).get("/sign-in?next=%2Fscans");
    expect([status, location]).toEqual([303, `${origin}/sign-in?next=%2Fscans`]);
  });

  test("the sign-in page is passed over by a browser that is signed in", async () => {
    const from = await signedIn((await newUser(service.store)).email);
    expect(await from.get("/sign-in?next=%2Fscans")).toMatchObject({ status: 303, location: "/scans" });
  });
});

describe("a sign-in with the password", () => {
  test("gives a session for this origin alone, and goes on to the page that was asked for", async () => {
    const { email, userId, accountId } = await newUser(service.store);
    const from = browser();
    const response = await from.post("/sign-in", {
      email: email.toUpperCase(),
      password: PASSWORD,
      next: "/scans?page=2",
    });
    expect(response).toMatchObject({ status: 303, location: "/scans?page=2" });
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-glovebox=[\w-]{43}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax$/,
    );
    expect(await sessionOf(from)).toMatchObject({ user: { id: userId }, accountId, hasSecondFactor: false });
  });

  test.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "\\/evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "/.//evil.example",
  ])("never goes on to %s", async (next) => {
    const { email } = await newUser(service.store);
    const { location } = await browser().post("/sign-in", { email, password: PASSWORD, next });
    expect(new URL(location!, origin).origin).toBe(origin);
    expect(location).not.toMatch(/^\/[/\\]/);
  });

  test("returns the same response for a wrong password, an unknown address and a disabled user", async () => {
    const [known, disabled] = [await newUser(service.store), await newUser(service.store)];
    await service.store.users.setDisabled(disabled.userId, true);
    const tried = [
      { email: known.email, password: "wrong password!" },
      { email: "nobody@example.com", password: PASSWORD },
      { email: disabled.email, password: PASSWORD },
    ];
    const pages = await Promise.all(
      tried.map(async (fields) => {
        const { status, text, headers } = await browser().post("/sign-in", fields);
        return { status, text: text.replaceAll(fields.email, ""), cookies: headers.getSetCookie() };
      }),
    );
    expect(pages[0]).toMatchObject({ status: 401, cookies: [] });
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
  });

  test("a sign-in with the password does not take over a session that the browser had before", async () => {
    const { email } = await newUser(service.store);
    const from = browser();
    const planted = newToken();
    from.cookies.set(SESSION, planted);
    await from.post("/sign-in", { email, password: PASSWORD });
    expect(from.cookies.get(SESSION)).not.toBe(planted);
    expect(await service.store.sessions.find(hashSecret(planted))).toBeUndefined();
  });

  test.each(["glovebox", "__host-glovebox", "__Secure-glovebox"])(
    "gives a token that is none in the cookie %s, which another host of the site could set",
    async (name) => {
      const token = (await signedIn((await newUser(service.store)).email)).cookies.get(SESSION)!;
      const from = browser();
      from.cookies.set(name, token);
      expect((await from.get("/profile")).status).toBe(303);
      from.cookies.set(SESSION, token);
      expect((await from.get("/profile")).status).toBe(200);
    },
  );

  test("gives a program its client of the admin interface", async () => {
    const { email } = await newUser(service.store);
    const client = await signIn(origin, { email, password: PASSWORD });
    expect(await client.session.me.query({})).toMatchObject({ email });
    await expect(signIn(origin, { email, password: "a wrong password" })).rejects.toThrow("refused: 401");
  });

  test("leads to pages that no cache keeps", async () => {
    const from = await signedIn((await newUser(service.store)).email);
    const profile = await from.get("/profile");
    expect([profile.status, profile.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });

  test("ends the session before, of the same browser", async () => {
    const first = await newUser(service.store);
    const from = await signedIn(first.email);
    const old = from.cookies.get(SESSION)!;
    await from.post("/sign-in", { email: (await newUser(service.store)).email, password: PASSWORD });
    expect(await service.store.sessions.find(hashSecret(old))).toBeUndefined();
  });
});

describe("a form", () => {
  test.each([
    ["from another site", { "Sec-Fetch-Site": "cross-site" }],
    ["from a sibling host", { "Sec-Fetch-Site": "same-site" }],
    ["from no page", { "Sec-Fetch-Site": "none" }],
  ])("%s is refused, and changes nothing", async (_from, headers) => {
    const { email } = await newUser(service.store);
    const from = await signedIn(email);
    for (const path of [
      "/sign-in",
      "/sign-out",
      "/sign-out/everywhere",
      "/profile/password",
      "/profile/passkeys/remove",
    ])
      expect((await from.post(path, { email, password: PASSWORD }, headers)).status).toBe(403);
    expect(await sessionOf(from)).toBeDefined();
  });

  test("a form that is not a form is refused", async () => {
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    expect((await browser().post("/sign-in", {}, headers)).status).toBe(415);
  });
});

describe("sign-out", () => {
  test("ends the session on the server", async () => {
    const from = await signedIn((await newUser(service.store)).email);
    const token = from.cookies.get(SESSION)!;
    expect(await from.post("/sign-out")).toMatchObject({ status: 303, location: "/sign-in" });
    expect(from.cookies.has(SESSION)).toBe(false);
    expect(await service.store.sessions.find(hashSecret(token))).toBeUndefined();
  });

  test("everywhere ends all sessions of the user, and of nobody else", async () => {
    const { email } = await newUser(service.store);
    const [one, two] = [await signedIn(email), await signedIn(email)];
    const other = await signedIn((await newUser(service.store)).email);
    await one.post("/sign-out/everywhere");
    expect(await sessionOf(two)).toBeUndefined();
    expect(await sessionOf(other)).toBeDefined();
  });
});

describe("attempts", () => {
  test("attempts from one address are refused after twenty in a minute, also over the addresses of one /64", async () => {
    const attempt = (host: number, name: number) =>
      new FormBrowser(origin, { "X-Forwarded-For": `2001:db8:1:2::${host.toString(16)}` }).post("/sign-in", {
        email: `unknown-${name}@example.com`,
        password: PASSWORD,
      });
    for (let n = 0; n < 20; n++) expect((await attempt(n, n)).status).toBe(401);
    const refused = await attempt(99, 99);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const elsewhere = new FormBrowser(origin, { "X-Forwarded-For": "2001:db8:1:3::1" });
    expect((await elsewhere.post("/sign-in", { email: "x@example.com", password: PASSWORD })).status).toBe(
      401,
    );
  });

  test("attempts by others slow a user down, and do not lock the user out", async () => {
    const { email } = await newUser(service.store);
    for (let n = 0; n < 4; n++) await browser().post("/sign-in", { email, password: "a wrong password" });
    expect((await browser().post("/sign-in", { email, password: PASSWORD })).status).toBe(303);
  });
});

describe("a new password", () => {
  const change = (from: FormBrowser, current: string, password: string) =>
    from.post("/profile/password", { current, password });

  test("ends the user's other sessions, and gives this one another token", async () => {
    const { email } = await newUser(service.store);
    const [from, other] = [await signedIn(email), await signedIn(email)];
    const old = from.cookies.get(SESSION)!;
    expect(await change(from, PASSWORD, "another long password")).toMatchObject({
      location: "/profile?done=password",
    });
    expect(await sessionOf(other)).toBeUndefined();
    expect(await service.store.sessions.find(hashSecret(old))).toBeUndefined();
    expect(await sessionOf(from)).toBeDefined();
    expect((await browser().post("/sign-in", { email, password: PASSWORD })).status).toBe(401);
    expect((await browser().post("/sign-in", { email, password: "another long password" })).status).toBe(303);
  });

  test.each([
    ["without the present one", "wrong password", "another long password", "The current password is wrong."],
    ["that is short", PASSWORD, "short", "at least 12 characters"],
  ])("%s is refused", async (_why, current, password, problem) => {
    const from = await signedIn((await newUser(service.store)).email);
    const page = await change(from, current, password);
    expect([page.status, page.text]).toEqual([400, expect.stringContaining(problem)]);
  });
});

test("the profile sends others to sign in, and back", async () => {
  const response = await browser().get("/profile");
  expect(response).toMatchObject({ status: 303, location: "/sign-in?next=%2Fprofile" });
});

test("sessions of a user end by themselves alone: the sessions of others cannot be named", async () => {
  const [one, other] = [await newUser(service.store), await newUser(service.store)];
  const [from, victim] = [await signedIn(one.email), await signedIn(other.email)];
  const { sessionId } = (await sessionOf(victim))!;
  await from.post("/profile/sessions/end", { id: sessionId });
  expect(await sessionOf(victim)).toBeDefined();
  const second = await signedIn(one.email);
  await from.post("/profile/sessions/end", { id: (await sessionOf(second))!.sessionId });
  expect(await sessionOf(second)).toBeUndefined();
});

test("no log line has a password, a token or an address", () => {
  expect(service.log.join("\n")).not.toMatch(/correct horse|@example\.com|__Host-/);
});

describe("a service", () => {
  test.each([
    ["at an http:// address", { publicUrl: new URL("http://glovebox.example") }, "is an http:// address"],
    ["that listens for all and knows no address", { host: "0.0.0.0" }, "Set GLOVEBOX_PUBLIC_URL"],
  ])("%s refuses sign-in, and says why", async (_where, settings, reason) => {
    const insecure = await startTestApi({ databaseUrl: database.url, settings });
    try {
      const at = new FormBrowser(`http://127.0.0.1:${insecure.port}`);
      for (const page of [
        await at.get("/sign-in"),
        await at.post("/sign-in", { email: "a@b.c", password: PASSWORD }),
      ])
        expect([page.status, page.text]).toEqual([503, expect.stringContaining(reason)]);
    } finally {
      await insecure.close();
    }
  });
});
