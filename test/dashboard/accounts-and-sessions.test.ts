import type { Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems } from "./axe.ts";
import { PASSWORD, startDashboard, type DashboardService } from "./dashboard-service.ts";
import { signedInUser, unexpected } from "./signed-in-user.ts";
import { completedScan } from "./stored-scans.ts";

let dashboard: DashboardService;
beforeAll(async () => {
  dashboard = await startDashboard({ GLOVEBOX_DEMO: "off" });
});
afterAll(() => dashboard?.[Symbol.asyncDispose]());

const keysOf = async (name: string): Promise<string[]> => {
  const account = (await dashboard.store.accounts.find(name))!;
  return (await dashboard.store.keys.list(account.id)).map((key) => key.name);
};
const endSessions = async (page: Page): Promise<unknown> =>
  dashboard.store.sessions.deleteAllOfUser((await signedInUser(page)).id);
const createKey = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create", exact: true }).click();
};

describe("two tabs on two accounts", () => {
  test("show and change their own account, regardless of the other one", async () => {
    const { page: first, context } = await dashboard.openAsMemberOfTwo();
    await first.goto("/a/default/keys");
    await first.getByRole("heading", { name: "API keys" }).waitFor();
    const second = await context.newPage();
    await second.goto("/a/payments/findings");
    await second.getByRole("heading", { name: "All findings" }).waitFor();
    expect(await second.getByLabel("Account").first().inputValue()).not.toBe(
      await first.getByLabel("Account").first().inputValue(),
    );

    await createKey(first, "of the first tab");
    await first.getByRole("button", { name: "I have copied it" }).click();
    await second.getByRole("link", { name: "API keys" }).click();
    await second.waitForURL(/\/a\/payments\/keys$/);
    await createKey(second, "of the second tab");
    await second.getByRole("button", { name: "I have copied it" }).click();
    await first.reload();
    await first.getByRole("row", { name: /of the first tab/ }).waitFor();
    expect(await first.getByText("of the second tab").count()).toBe(0);
    expect(await keysOf("payments")).toEqual(["of the second tab"]);
    expect(await keysOf("default")).toEqual(expect.arrayContaining(["of the first tab"]));
    expect(await keysOf("default")).not.toContain("of the second tab");
    await context.close();
  });

  test("two tabs on two accounts are changed by the choice of an account, which is another address", async () => {
    const { page, context } = await dashboard.openAsMemberOfTwo();
    await page.goto("/a/default/findings");
    await page.getByLabel("Account").selectOption("payments");
    await page.waitForURL(/\/a\/payments\/$/);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Findings" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/a/default/findings");
    await context.close();
  });

  test("two tabs on two accounts have links that work for every colleague, and say so to those without access", async () => {
    const { page: theirs, context: ofTwo } = await dashboard.openAsMemberOfTwo();
    const id = await completedScan(dashboard.store, { account: "payments", url: "https://pay.example/" });
    await theirs.goto(`/a/payments/scans/${id}`);
    await theirs.getByRole("heading", { name: "What was tested" }).waitFor();
    const { page, context } = await dashboard.open();
    await page.goto(`/a/payments/scans/${id}`);
    await page.getByText("You do not have access to this account").waitFor();
    expect(await page.getByRole("heading", { name: "What was tested" }).count()).toBe(0);
    await page.getByRole("link", { name: "default" }).click();
    await page.waitForURL(/\/a\/default\/$/);
    await ofTwo.close();
    await context.close();
  });

  test("two tabs on two accounts are what links of earlier releases lead to: the account opened last", async () => {
    const { page, context } = await dashboard.openAsMemberOfTwo();
    await page.goto("/a/payments/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goto("/findings?status=open");
    await page.getByRole("list", { name: "Active filters" }).getByText("Status: Open").waitFor();
    expect(new URL(page.url()).pathname).toBe("/a/payments/findings");
    await context.close();
  });
});

describe("a dialog", () => {
  test("a dialog with a secret is closed by its button alone", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/a/default/keys");
    await createKey(page, "shown once");
    const secret = page.getByRole("region", { name: "API key" });
    await secret.waitFor();
    await page.mouse.click(5, 5);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await secret.textContent()).toMatch(/^\S{20,}$/);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await secret.waitFor({ state: "hidden" });
    await context.close();
  });

  test("keeps what was typed, and is closed beside it while nothing was", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/a/default/keys");
    const name = page.getByLabel("Name");
    const open = page.getByRole("button", { name: "Create a key" });
    await open.click();
    await name.waitFor();
    await page.keyboard.press("Escape");
    await name.waitFor({ state: "hidden" });
    await open.click();
    await name.fill("typed");
    await page.mouse.click(5, 5);
    await page.keyboard.press("Escape");
    expect(await name.inputValue()).toBe("typed");
    await page.getByRole("button", { name: "Cancel" }).click();
    await name.waitFor({ state: "hidden" });
    await context.close();
  });
});

describe("a session that ends", () => {
  test("while a form is open asks for the password above it, and sends the form then", async () => {
    const { page, context } = await dashboard.openAsMemberOfTwo();
    await page.goto("/a/payments/keys");
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("typed before the end");
    await endSessions(page);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const signIn = page.getByRole("dialog", { name: "Your session has ended" });
    await signIn.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await signIn.getByLabel("Password").fill("not the password");
    await signIn.getByRole("button", { name: "Sign in", exact: true }).click();
    await signIn.getByText("The password is wrong.").waitFor();
    await signIn.getByLabel("Password").fill(PASSWORD);
    await signIn.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("row", { name: /typed before the end/ }).waitFor();
    expect((await keysOf("payments")).filter((name) => name === "typed before the end")).toHaveLength(1);
    expect(new URL(page.url()).pathname).toBe("/a/payments/keys");
    await context.close();
  });

  test("a session that ends is continued when the user signs in in another tab", async () => {
    const { page, context } = await dashboard.openAsMemberOfTwo();
    await page.goto("/a/payments/findings");
    await page.getByRole("heading", { name: "All findings" }).waitFor();
    const email = (await page.getByRole("link", { name: /@example\.test/ }).textContent())!;
    await endSessions(page);
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    const other = await context.newPage();
    await other.goto("/sign-in");
    await other.getByLabel("E-mail address").fill(email);
    await other.getByLabel("Password").fill(PASSWORD);
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByText("Scans left").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await context.close();
  });
});

test("no page had another error, a violation of the Content-Security-Policy, or a request to another host", () => {
  expect(unexpected(dashboard.problems)).toEqual([]);
});
