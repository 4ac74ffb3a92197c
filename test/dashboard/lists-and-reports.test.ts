import type { SampleFinding } from "@glovebox/store/testing";
import type { Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems } from "./axe.ts";
import { startDashboard, type DashboardService } from "./dashboard-service.ts";
import { SAME_ORIGIN, unexpected } from "./signed-in-user.ts";
import { FINDING, completedScan } from "./stored-scans.ts";

let dashboard: DashboardService;
beforeAll(async () => {
  dashboard = await startDashboard({ GLOVEBOX_DEMO: "off" });
});
afterAll(() => dashboard?.[Symbol.asyncDispose]());

const MANY = Array.from({ length: 30 }, (_, at): SampleFinding => ({
  ...FINDING,
  ...{ id: at.toString(16).padStart(16, "0"), places: [`GET /${at}`], title: `Finding ${at}` },
}));

describe("filters", () => {
  test("filters of a link are all shown, with the target, and each is removed alone", async () => {
    const { page, context } = await dashboard.open();
    await completedScan(dashboard.store, { account: "default", url: "https://filtered.example/" });
    await page.goto("/a/default/targets");
    await page
      .getByRole("row", { name: /filtered\.example/ })
      .getByRole("link")
      .last()
      .click();
    const chips = page.getByRole("list", { name: "Active filters" });
    await chips.getByText("Target: https://filtered.example/").waitFor();
    await chips.getByText("Status: Reopened").waitFor();
    expect(await page.getByLabel("Status").locator("option:checked").textContent()).toBe("Open or Reopened");
    expect(await accessibilityProblems(page)).toEqual([]);
    await chips.getByRole("button", { name: "Remove Target: https://filtered.example/" }).click();
    await chips.getByText("Target:").waitFor({ state: "detached" });
    expect(page.url()).not.toContain("target=");
    await chips.getByText("Status: Reopened").waitFor();
    await chips.getByRole("button", { name: "Clear all filters" }).click();
    await chips.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("");
    await context.close();
  });

  test("filters by text follow the typing, without Enter", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/a/default/findings");
    await page.getByLabel("Title or location contains").pressSequentially("nothing has this");
    await page.getByText("No finding matches").waitFor();
    expect(await page.getByLabel("Title or location contains").inputValue()).toBe("nothing has this");
    await context.close();
  });
});

describe("counts beyond what is counted", () => {
  test("say so, and a decision about too many is refused before anything is typed", async () => {
    const { page, context } = await dashboard.open();
    await page.route(/findings\.(list|preview)/, async (route) => {
      const headers = { ...route.request().headers(), ...SAME_ORIGIN };
      const response = await route.fetch({ headers });
      const batch = (await response.json()) as { result?: { data: Record<string, unknown> } }[];
      for (const { result } of batch) {
        if (result?.data["items"]) Object.assign(result.data, { total: 10_000, hasMore: true });
        if (result && "matching" in result.data)
          Object.assign(result.data, { matching: 5_001, changing: 5_001 });
      }
      await route.fulfill({ response, json: batch });
    });
    await page.goto("/a/default/findings");
    await page.getByText("1 to 25 of 10,000+").waitFor();
    await page.getByRole("button", { name: "Triage all 10,000+" }).click();
    await page.getByText(/^More than 5,000 findings match\. Narrow the filter/).waitFor();
    expect(await page.getByLabel("Reason").count()).toBe(0);
    expect(await page.getByRole("dialog").getByRole("button", { name: "Accept the risk" }).isDisabled()).toBe(
      true,
    );
    await context.close();
  });
});

describe("a report", () => {
  const firstFinding = (page: Page) => page.locator("details[data-row]").first();

  test("shows the status of each finding, and links to its record, where it is triaged", async () => {
    const { page, context } = await dashboard.open();
    const id = await completedScan(dashboard.store, { account: "default", url: "https://triaged.example/" });
    await page.goto(`/a/default/scans/${id}`);
    const row = firstFinding(page);
    await row.getByText("Open", { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await row.locator("summary").first().click();
    await row.getByRole("link", { name: "View history and triage" }).click();
    await page.waitForURL(/\/a\/default\/findings\/\d+$/);
    await page.getByRole("button", { name: "Triage" }).click();
    await page.getByLabel("Decision").selectOption("Mark as a false positive");
    await page.getByText("1 finding changes.").waitFor();
    await page.getByLabel("Reason").fill("Test data");
    await page.getByRole("button", { name: "Mark as a false positive" }).click();
    await page.getByText("1 finding was changed.").waitFor();
    await page.goBack();
    await firstFinding(page).getByText("False positive", { exact: true }).waitFor();
    await context.close();
  });

  test("a report is scrolled to the finding of a link", async () => {
    const { page, context } = await dashboard.open({ viewport: { width: 1000, height: 500 } });
    const id = await completedScan(dashboard.store, {
      account: "default",
      url: "https://linked.example/",
      findings: MANY,
    });
    await page.goto(`/a/default/scans/${id}`);
    const row = page.locator("details[data-row]").last();
    await row.waitFor();
    const fragment = await row.getAttribute("id");
    await page.goto("about:blank");
    await page.goto(`/a/default/scans/${id}#${fragment}`);
    const linked = page.locator(`#${fragment}`);
    await linked.waitFor();
    await expect.poll(() => linked.evaluate((each) => each.getBoundingClientRect().top)).toBeLessThan(300);
    expect(await page.evaluate<number>("scrollY")).toBeGreaterThan(0);
    expect(await linked.getAttribute("open")).not.toBeNull();
    await context.close();
  });

  test("lists the requests that the target may have stored, with their responses", async () => {
    const { page, context } = await dashboard.open();
    const request = { method: "POST", url: "https://stored.example/register", headers: {}, body: "[]" };
    const sideEffects = [201, 0].map((status, at) => ({
      operation: { method: "POST", path: ["/register", "/orders"][at]! },
      ...{ request, response: { status, headers: {}, body: '{"id":7}' }, cleaned: false },
    }));
    const at = { account: "default", url: "https://stored.example/" };
    const id = await completedScan(dashboard.store, { ...at, report: { sideEffects } });
    await page.goto(`/a/default/scans/${id}`);
    const panel = page.getByRole("region", { name: "Possible side effects of the scan" });
    await panel.getByText("POST /orders no response").waitFor();
    await panel.getByText("POST /register status 201").click();
    await panel.getByText('"id": 7').or(panel.getByText('{"id":7}')).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const none = await completedScan(dashboard.store, at);
    await page.goto(`/a/default/scans/${none}`);
    await firstFinding(page).waitFor();
    expect(await panel.count()).toBe(0);
    await context.close();
  });

  test("shows what is invisible in the text of a target", async () => {
    const { page, context } = await dashboard.open();
    const hostile = { ...FINDING, title: "\u202eevil\u200b", places: ["GET /\u2066x"] };
    const id = await completedScan(dashboard.store, {
      account: "default",
      url: "https://hostile.example/",
      findings: [hostile],
    });
    await page.goto(`/a/default/scans/${id}`);
    await firstFinding(page).locator("summary").first().click();
    await page.getByText("⟦U+202E⟧evil⟦U+200B⟧").first().waitFor();
    await page.getByText("GET /⟦U+2066⟧x").first().waitFor();
    expect(await page.evaluate<boolean>("/[\\u202e\\u200b\\u2066]/.test(document.body.innerText)")).toBe(
      false,
    );
    await context.close();
  });
});

test("no page had another error, a violation of the Content-Security-Policy, or a request to another host", () => {
  expect(unexpected(dashboard.problems)).toEqual([]);
});
