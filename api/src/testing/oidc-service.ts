import { randomBytes } from "node:crypto";
import { hashSecret, newToken, type Account } from "@glovebox/store";
import { afterAll, beforeAll, expect } from "vitest";
import { testDatabase, type TestDatabase } from "./database.ts";
import { FormBrowser, type Page } from "./form-browser.ts";
import { startTestApi, type TestApi } from "./harness.ts";
import { startIdentityProvider, type IdentityProvider, type Person } from "./identity-provider.ts";
import { PASSWORD } from "./users.ts";

/** What `withProviders` starts before the tests of a file: a service, and two providers for it. */
export let database: TestDatabase;
export let service: TestApi;
export let corp: IdentityProvider;
export let other: IdentityProvider;
let account: Account;
export let origin: string;

async function start(): Promise<void> {
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
}

async function stop(): Promise<void> {
  await service.close();
  await Promise.all([corp.close(), other.close()]);
  await database.drop();
}

/** Starts them before the tests of the file, and stops them after. */
export function withProviders(): void {
  beforeAll(start);
  afterAll(stop);
}

export const SESSION = "__Host-glovebox";
export const LOGIN = "__Host-glovebox-oidc";
let addresses = 0;
export const browser = () => new FormBrowser(origin, { "X-Forwarded-For": `198.51.100.${++addresses}` });
export const sessionOf = (from: FormBrowser) =>
  service.store.sessions.find(hashSecret(from.cookies.get(SESSION) ?? ""));
export const newLogin = () => randomBytes(6).toString("hex");

/** A person whom the provider knows; the login. */
export function person(at: IdentityProvider, claims: Person = {}): string {
  const login = newLogin();
  at.people.set(login, { email: `${login}@example.com`, email_verified: true, name: "Ada", ...claims });
  return login;
}

export const OWN_PAGE = { "Sec-Fetch-Site": "same-origin" };

/** The whole way: from the link on a page of the service through the pages of the provider and back. */
export async function signIn(
  from: FormBrowser,
  at: IdentityProvider,
  login: string,
  query = "",
): Promise<Page> {
  const begun = await from.get(`/sign-in/oidc/${at.setting.id}${query}`, OWN_PAGE);
  expect(begun.status).toBe(303);
  return from.get(await at.logIn(begun.location!, login));
}

export const consent = (from: FormBrowser, at: IdentityProvider, headers = {}) =>
  from.post(`/sign-in/oidc/${at.setting.id}/consent`, {}, headers);

/** The whole way for a link or an invitation, with the form at its end that names both sides. */
export async function signInAndConsent(
  from: FormBrowser,
  at: IdentityProvider,
  login: string,
  query: string,
): Promise<Page> {
  const page = await signIn(from, at, login, query);
  return page.status === 200 ? consent(from, at) : page;
}

export const confirm = (from: FormBrowser, password = PASSWORD) =>
  from.post("/profile/confirm", { password, next: "/profile" });

export async function withPassword(email: string): Promise<FormBrowser> {
  const from = browser();
  expect((await from.post("/sign-in", { email, password: PASSWORD })).status).toBe(303);
  return from;
}

export async function invitation(over: object = {}): Promise<string> {
  const token = newToken();
  const membership = { accountId: account.id, role: "member" as const };
  const email = `${newLogin()}@example.com`;
  await service.store.invitations.create({ sha256: hashSecret(token), email, membership, days: 7, ...over });
  return token;
}
