import { instancesOf } from "@glovebox/domain";
import { describe, expect, test } from "vitest";
import { CHECKS } from "../checks/index.ts";
import type { Operation } from "./operation.ts";
import { apiDocument } from "../testing/api-document.ts";
import { fakeApi, type FakeResponse, type Route } from "../testing/fake-api.ts";
import { scanWith } from "../testing/test-check.ts";
import { AccountAttempts } from "./account-attempts.ts";

const MAX_ATTEMPTS = 4;

const operation = () => ({}) as Operation;

describe("attempts for one account name", () => {
  test("end before an account is locked, regardless of the case of the name", () => {
    const accounts = new AccountAttempts([]);
    const made = ["admin", "Admin", "ADMIN", "admin", "admin", "admin"].filter((name) =>
      accounts.mayTryPassword(name),
    );
    expect(made).toHaveLength(MAX_ATTEMPTS);
    expect(accounts.mayTryPassword("ada")).toBe(true);
    expect(new AccountAttempts([]).mayTryPassword("admin"), "another scan").toBe(true);
  });

  test("attempts for one account name that look for the name leave one for its default password, and their repeat is sure", () => {
    const accounts = new AccountAttempts([]);
    const [one, other, third] = [operation(), operation(), operation()];
    expect(accounts.mayTryName("admin", one)).toBe(true);
    expect(accounts.mayTryName("admin", other)).toBe(true);
    expect(accounts.mayTryName("admin", other), "repeated").toBe(true);
    expect(accounts.mayTryName("admin", third)).toBe(false);
    expect(accounts.mayTryPassword("admin")).toBe(true);
    expect(accounts.mayTryPassword("admin")).toBe(false);
    accounts.signedIn("admin");
    expect(accounts.mayTryPassword("admin"), "to be repeated where it was right").toBe(true);
  });
});

const LOCKED: FakeResponse = { status: 403, json: { error: "The account is locked for an hour" } };
const WRONG: FakeResponse = { status: 401, json: { error: "Wrong name or password" } };

/** Log-ins of one store of accounts, which locks each that exists after five failures. */
function doors(): { routes: Record<string, Route>; failures: Map<string, number> } {
  const failures = new Map<string, number>();
  const login: Route = ({ body }) => {
    const name = userIn(body);
    if (name === undefined) return { status: 400, json: { error: "A name and a password are needed" } };
    failures.set(name, (failures.get(name) ?? 0) + 1);
    return ACCOUNTS.includes(name) && failures.get(name)! > 5 ? LOCKED : WRONG;
  };
  const routes = Object.fromEntries(PATHS.map((path) => [`POST ${path}`, login]));
  return { routes: { "GET /members": { json: [{ username: "ada" }] }, ...routes }, failures };
}

function userIn(body: string): string | undefined {
  try {
    const { username, password } = JSON.parse(body) as { username?: unknown; password?: unknown };
    return typeof username === "string" && typeof password === "string" ? username.toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}

const ACCOUNTS = ["admin", "ada", "test", "user"];
const PATHS = ["/login", "/api/login", "/api/v1/login", "/sessions"];
const post = {
  requestBody: {
    content: {
      "application/json": {
        example: { username: "ada", password: "a", remember: "yes" },
        schema: {
          type: "object",
          properties: {
            username: { type: "string" },
            password: { type: "string" },
            remember: { type: "string" },
          },
        },
      },
    },
  },
};

test(
  "a scan of several log-ins with all checks locks no account, and takes no lock for an account that exists",
  { timeout: 120_000 },
  async () => {
    const { routes, failures } = doors();
    const paths = Object.fromEntries(PATHS.map((path) => [path, { post }]));
    const report = await scanWith(CHECKS, {
      name: "several log-ins",
      document: apiDocument({ "/members": { get: {} }, ...paths }),
      target: fakeApi(routes),
    });
    const counts = ACCOUNTS.map((name) => failures.get(name) ?? 0);
    expect(counts[0], "the common name was tried").toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeLessThan(5);
    const found = report.findings.flatMap(instancesOf).map(({ check }) => check);
    expect(found).not.toContain("authentication/login-enumeration");
    expect(found).not.toContain("authentication/default-credentials");
  },
);
