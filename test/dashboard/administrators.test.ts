import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems } from "./axe.ts";
import { startDashboard, type DashboardService } from "./dashboard-service.ts";
import { examine } from "./examine.ts";
import { ADMINISTRATOR_PAGES, LOOKS } from "./pages.ts";

let dashboard: DashboardService;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.[Symbol.asyncDispose]());

// First: the session of the owner ends when a role is taken back below.
describe("pages of administrators", () => {
  test.each(["/accounts", "/users", "/sign-in-settings", "/queue"])(
    "are not for owners, neither linked nor shown: %s",
    async (path) => {
      const { page, context } = await dashboard.open();
      await page.goto(path);
      await page.getByText("Only administrators of the service can see this page").waitFor();
      expect(await page.locator(`nav a[href="/a/default${path}"]`).count()).toBe(0);
      const input = encodeURIComponent("{}");
      const response = await page.request.get(`/admin/trpc/service.state?input=${input}`);
      expect(response.status()).toBe(403);
      await context.close();
    },
  );
});

describe("an administrator of the service", () => {
  test("creates an account, changes its plan, suspends it, and finds it in the audit log of all accounts", async () => {
    const { page, context } = await dashboard.openAsAdministrator();
    await page.goto("/");
    await page.getByRole("link", { name: "Accounts", exact: true }).click();
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByLabel("Name").fill("Bookshop");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const row = page.getByRole("row", { name: /Bookshop/ });
    await row.getByText("0 of 3").waitFor();
    const choose = async (action: string): Promise<void> => {
      await row.getByRole("button", { name: /Change/ }).click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    await choose("Edit");
    await page.getByLabel("Plan", { exact: true }).selectOption("Pro");
    await page
      .getByRole("dialog")
      .getByText(/authenticated scanning/)
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("0 of 100").waitFor();
    await choose("Suspend");
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    await row.getByText("Suspended").waitFor();
    await page.goto("/audit?accounts=all&area=account");
    await page.getByRole("row", { name: /account\.suspend/ }).waitFor();
    await context.close();
  });

  test("makes a link to reset the password of a user, makes the user an administrator, and takes that back", async () => {
    const { page, context } = await dashboard.openAsAdministrator();
    await page.goto("/users");
    const row = page.getByRole("row", { name: /Ada Owner/ });
    const choose = async (action: string): Promise<void> => {
      await row.getByRole("button", { name: /Change/ }).click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    await choose("Reset the password");
    await page.getByRole("button", { name: "Make a link" }).click();
    expect(await page.getByRole("region", { name: "One-time link" }).textContent()).toMatch(/\/invitation\//);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await choose("Make an administrator");
    await page.getByRole("dialog").getByRole("button", { name: "Make an administrator" }).click();
    await row.getByText("Administrator", { exact: true }).waitFor();
    await choose("Revoke administration");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await row.getByText("Administrator", { exact: true }).waitFor({ state: "detached" });
    await context.close();
  });
});

test.each(LOOKS)(
  "the pages in $colorScheme at $viewport.width pixels have nothing that axe objects to, and fit the screen",
  async ({ colorScheme, viewport }) => {
    const window = await dashboard.openAsAdministrator({ colorScheme, viewport });
    await examine(window, ADMINISTRATOR_PAGES, `${colorScheme}-${viewport.width}`);
    expect(dashboard.problems).toEqual([]);
  },
  90_000,
);
