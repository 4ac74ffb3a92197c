import { randomBytes } from "node:crypto";
import { hashSecret } from "@glovebox/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { FormBrowser } from "../testing/form-browser.ts";
import { startTestApi, type TestApi } from "../testing/harness.ts";
import { PASSWORD, newUser, type TestUser } from "../testing/users.ts";

let database: TestDatabase;
let service: TestApi;
let origin: string;
const clock = { at: new Date("2026-11-24T12:00:00Z") };

beforeAll(async () => {
  database = await testDatabase();
  service = await startTestApi({
    databaseUrl: database.url,
    settings: { trustProxy: 1 },
    now: () => clock.at,
  });
  origin = `http://localhost:${service.port}`;
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const SESSION = "__Host-glovebox";
let addresses = 0;

async function signedIn(user: TestUser): Promise<FormBrowser> {
  const from = new FormBrowser(origin, { "X-Forwarded-For": `198.51.100.${++addresses}` });
  expect((await from.post("/sign-in", { email: user.email, password: PASSWORD })).status).toBe(303);
  return from;
}

async function addPasskey({ userId }: TestUser): Promise<string> {
  const id = randomBytes(16).toString("base64url");
  const passkey = { id, userId, name: "USB key", publicKey: "AA", counter: 0, transports: ["usb"] };
  expect(await service.store.passkeys.add(passkey)).toBe(true);
  return id;
}

const confirm = (from: FormBrowser, fields: Record<string, string> = { password: PASSWORD }) =>
  from.post("/profile/confirm", { next: "/profile", ...fields });
const CONFIRM = "/profile/confirm?next=%2Fprofile";

describe("a session by itself", () => {
  test("removes no passkey, and does so after the password", async () => {
    const user = await newUser(service.store);
    const from = await signedIn(user);
    const id = await addPasskey(user);
    expect((await from.post("/profile/passkeys/remove", { id })).location).toBe(CONFIRM);
    expect(await service.store.passkeys.list(user.userId)).toHaveLength(1);
    expect((await from.get("/profile")).text).not.toContain("/profile/passkeys/remove");

    expect(await confirm(from)).toMatchObject({ status: 303, location: "/profile" });
    expect((await from.get("/profile")).text).toContain("/profile/passkeys/remove");
    expect((await from.post("/profile/passkeys/remove", { id })).location).toBe("/profile?done=removed");
    expect(await service.store.passkeys.list(user.userId)).toEqual([]);
  });

  test("adds no passkey", async () => {
    const from = await signedIn(await newUser(service.store));
    expect((await from.get("/profile")).text).not.toContain("data-create");
    expect((await from.post("/profile/passkeys", { name: "x", answer: "{}" })).location).toBe(CONFIRM);
    await confirm(from);
    expect((await from.get("/profile")).text).toContain("data-create");
    expect((await from.post("/profile/passkeys", { name: "x", answer: "{}" })).status).toBe(400);
  });

  test("removes nothing any more ten minutes after the password", async () => {
    const user = await newUser(service.store);
    const from = await signedIn(user);
    const id = await addPasskey(user);
    await confirm(from);
    clock.at = new Date(clock.at.getTime() + 10 * 60_000);
    expect((await from.post("/profile/passkeys/remove", { id })).location).toBe(CONFIRM);
  });
});

describe("a confirmation", () => {
  test.each([
    ["a wrong password", { password: "a wrong password" }],
    ["no password", { password: "" }],
    ["a passkey that is none", { answer: "{}" }],
    ["nothing", {}],
  ])("a confirmation with %s is refused, and in the audit log", async (_what, fields) => {
    const user = await newUser(service.store);
    const from = await signedIn(user);
    expect((await confirm(from, fields)).status).toBe(400);
    const session = await service.store.sessions.find(hashSecret(from.cookies.get(SESSION)!));
    expect(session).toMatchObject({ isConfirmed: false });
    const [newest] = await service.store.audit.list(undefined, { limit: 1 });
    expect(newest).toMatchObject({ action: "session.refuse", subject: user.email });
  });

  test("a confirmation is not made by another site", async () => {
    const from = await signedIn(await newUser(service.store));
    const fields = { password: PASSWORD, next: "/profile" };
    const page = await from.post("/profile/confirm", fields, { "Sec-Fetch-Site": "cross-site" });
    expect(page.status).toBe(403);
  });

  test.each(["https://evil.example/", "//evil.example/"])("never goes on to %s", async (next) => {
    const from = await signedIn(await newUser(service.store));
    const { location } = await confirm(from, { password: PASSWORD, next });
    expect(new URL(location!, origin).origin).toBe(origin);
  });

  test("counts as attempts: nobody guesses a password with a stolen cookie", async () => {
    const from = await signedIn(await newUser(service.store));
    from.cookies.delete("__Host-glovebox-browser");
    const guess = async () => (await confirm(from, { password: "a guess of many" })).status;
    const statuses = await Promise.all(Array.from({ length: 24 }, guess));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });
});
