import type { Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems } from "./axe.ts";
import { PASSWORD, startDashboard, type DashboardService } from "./dashboard-service.ts";
import { signedInUser, unexpected } from "./signed-in-user.ts";

let dashboard: DashboardService;
beforeAll(async () => {
  dashboard = await startDashboard({ GLOVEBOX_DEMO: "off" });
});
afterAll(() => dashboard?.[Symbol.asyncDispose]());

describe("in the layout, with the navigation", () => {
  const expectLayout = async (page: Page): Promise<void> => {
    await page.getByRole("link", { name: "Findings", exact: true }).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  };

  test("an offline browser says so on a page not opened before, which opens once it is online", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/a/default/keys");
    await page.getByRole("button", { name: "Change first", exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByText("You are offline.").waitFor();
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "You are offline" }).waitFor();
    await expectLayout(page);
    await context.setOffline(false);
    await page.getByText("Scans left").waitFor();
    await context.close();
  });

  test("data that cannot be loaded offline leaves what is there, and is loaded by another try", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/a/default/usage");
    await page.getByText("Scans left").waitFor();
    await page.getByRole("link", { name: "Webhooks" }).hover();
    await page.goto("/a/default/keys");
    await page.getByRole("button", { name: "Change first", exact: true }).waitFor();
    await page.route("**/admin/trpc/**", (route) => route.abort("internetdisconnected"));
    await page.getByRole("link", { name: "Findings", exact: true }).click();
    await page.getByText("Glovebox cannot be reached.").first().waitFor();
    await page.unroute("**/admin/trpc/**");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByText(/No finding matches/).waitFor();
    expect(await page.getByText("Glovebox cannot be reached.").count()).toBe(0);
    await context.close();
  });

  test("a script that an upgrade removed says that there is a new version, and reloads nothing by itself", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/a/default/keys");
    await page.getByRole("button", { name: "Change first", exact: true }).waitFor();
    let documents = 0;
    page.on("request", (request) => (documents += Number(request.isNavigationRequest())));
    await page.route(/usage-page.*\.js$/, (route) => route.fulfill({ status: 404, body: "{}" }));
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Glovebox has been updated" }).waitFor();
    await expectLayout(page);
    expect(documents).toBe(0);
    await page.unroute(/usage-page.*\.js$/);
    await page.getByRole("button", { name: "Reload the page" }).click();
    await page.getByText("Scans left").waitFor();
    await context.close();
  });

  test("a response that is not JSON is explained without the parser's words", async () => {
    const { page, context } = await dashboard.open();
    await page.route("**/admin/trpc/**", (route) => route.fulfill({ status: 502, body: "oops" }));
    await page.goto("/a/default/usage");
    await page
      .getByText(/^The server sent an unexpected response/)
      .first()
      .waitFor();
    await expectLayout(page);
    expect(await page.getByText(/Unexpected token/).count()).toBe(0);
    await context.close();
  });

  test.each([
    "scans/scan-01aaaaaaaaaaaaaaaaaaaaaaaa",
    "scans/nothing",
    "findings/999999",
    "findings/x",
    "targets/999999",
  ])("an id that the account does not have is not found, in words for users: %s", async (path) => {
    const { page, context } = await dashboard.open();
    await page.goto(`/a/default/${path}`);
    await page.getByRole("heading", { name: "Not found", exact: true }).waitFor();
    expect(await page.getByText(/pattern|id:|Try again/).count()).toBe(0);
    await expectLayout(page);
    await context.close();
  });

  test("a viewer is told of a missing permission before a form is filled in", async () => {
    const { page, context } = await dashboard.openAsMemberOfTwo();
    await page.goto("/a/payments/settings");
    const { id, email } = await signedInUser(page);
    const account = (await dashboard.store.accounts.find("payments"))!;
    await dashboard.store.users.setRole(id, account.id, "viewer"); // ends the session
    await page.goto("/a/payments/keys");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "You do not have permission to see this" }).waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
    await page.goto("/a/payments/scans/new");
    await page.getByText("You do not have permission to do this").waitFor();
    expect(await page.getByLabel("URL of the API").count()).toBe(0);
    await expectLayout(page);
    await context.close();
  });
});

test("no page had another error, a violation of the Content-Security-Policy, or a request to another host", () => {
  expect(unexpected(dashboard.problems)).toEqual([]);
});
