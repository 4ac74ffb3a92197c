import type { Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems } from "./axe.ts";
import { startDashboard, type DashboardService } from "./dashboard-service.ts";
import { unexpected } from "./signed-in-user.ts";

const SECRET = "s3cret-of-alice";
const PASTED = `- name: alice\n  headers:\n    Authorization: Bearer ${SECRET}\n`;

let dashboard: DashboardService;
let demo: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  demo = /Demo target, vulnerable on purpose: (\S+)/.exec(dashboard.service.printed)![1]!;
});
afterAll(() => dashboard?.[Symbol.asyncDispose]());

const start = (page: Page): Promise<void> => page.getByRole("button", { name: "Start the scan" }).click();
async function paste(page: Page, identities: string): Promise<void> {
  await page.goto("/scans/new");
  await page.getByLabel("URL of the API").fill(demo);
  await page.getByLabel("Sign in as").selectOption("Paste identities");
  await page.getByRole("textbox", { name: "Identities" }).fill(identities);
}
/** All that the browser keeps of a page, and what the page shows. */
const keptBy = async (page: Page): Promise<string> =>
  page.url() +
  (await page.content()) +
  (await page.evaluate<string>(
    "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])",
  ));
const cancelScan = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Cancel the scan" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the scan" }).click();
  await page.getByRole("heading", { name: "Why it failed" }).waitFor();
};

describe("the New scan page", () => {
  test("shows a mistake in pasted identities at the field, without the value", async () => {
    const { page, context } = await dashboard.open();
    await paste(page, `[{name: alice, headers: {Host: ${SECRET}}}]`);
    await page.getByLabel("Exclude").fill("DELETE\nsometimes");
    await start(page);
    const field = page.locator('textarea[aria-invalid="true"]').first();
    await field.waitFor();
    const problem = (await field.getAttribute("aria-describedby"))!.split(" ").at(-1)!;
    expect(await page.locator(`[id="${problem}"]`).textContent()).toBe(
      "identities.0.headers.Host: is set by the scanner itself",
    );
    await page
      .getByText(/^exclude\.1: must be a method, a path/)
      .first()
      .waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await context.close();
  });

  test("signs in with pasted identities, keeps none of them, and saves them as a set for the next scan", async () => {
    const { page, context } = await dashboard.open();
    await paste(page, PASTED);
    await page.getByLabel("Save as set").fill("staging");
    await page.getByLabel("Include only").fill("GET /**");
    await start(page);
    await page.waitForURL(/\/scans\/scan-/);
    await page.getByText(/Signed in as alice · Only GET \/\*\*/).waitFor();
    expect(await keptBy(page)).not.toContain("s3cret");
    await cancelScan(page);
    expect(await page.getByRole("button", { name: "Scan again" }).count()).toBe(0);

    await page.getByRole("link", { name: "New scan" }).first().click();
    const choice = page.getByLabel("Sign in as");
    await page.getByLabel("URL of the API").fill("https://other.example/");
    expect(await choice.locator("option").allTextContents()).toEqual(["Nobody", "Paste identities"]);
    await page.getByLabel("URL of the API").fill(`${demo}/v2`);
    await choice.selectOption("Saved set: staging");
    await start(page);
    await page.getByText(/Signed in as alice/).waitFor();
    expect(await keptBy(page)).not.toContain("s3cret");
    await cancelScan(page);
    await context.close();
  });

  test("says why a plan cannot scan with identities", async () => {
    const account = (await dashboard.store.accounts.find("default"))!;
    const terms = { requestsPerMinute: null, scansPerMonth: null, activeMode: false };
    await dashboard.store.accounts.setTerms(account.id, { plan: "starter", ...terms });
    const { page, context } = await dashboard.open();
    await page.goto("/scans/new");
    await page.getByRole("heading", { name: "The plan does not include authenticated scanning" }).waitFor();
    expect(await page.getByLabel("Sign in as").count()).toBe(0);
    await dashboard.store.accounts.setTerms(account.id, { plan: "pro", ...terms });
    await context.close();
  });
});

describe("a schedule", () => {
  test("a schedule signs in with a saved set of its target, and holds no value of it", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/schedules");
    await page.getByRole("button", { name: "Create a schedule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Nightly, signed in");
    await dialog.getByLabel("URL of the API", { exact: true }).fill(`${demo}/v1`);
    await dialog.getByLabel("Sign in as").selectOption("Saved set: staging");
    await dialog.getByLabel("Exclude").fill("DELETE");
    await dialog.getByLabel("Cron expression").fill("30 2 * * *");
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByText("Signs in with staging").waitFor();
    expect(await keptBy(page)).not.toContain("s3cret");
    expect(await page.getByText("Runs will fail").count()).toBe(0);
    await context.close();
  });
});

describe("the settings", () => {
  test("list saved sets by their names, and delete them", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/settings");
    const row = page.getByRole("row", { name: /staging/ });
    await row.getByText("alice (user): Authorization").waitFor();
    expect(await keptBy(page)).not.toContain("s3cret");
    expect(await accessibilityProblems(page)).toEqual([]);
    await row.getByRole("button", { name: "Delete staging" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("staging was deleted.").waitFor();
    await page.getByText("No saved identities").waitFor();
    await page.goto("/schedules");
    await page.getByText("Runs will fail").waitFor();
    await page.getByText("identitySet: is not a saved set of this target").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await context.close();
  });
});

test("nothing went wrong in any window", () => {
  expect(unexpected(dashboard.problems)).toEqual([]);
});
