import { readFileSync } from "node:fs";
import type { AccessOfCallers, CompletedScan } from "@glovebox/contract";
import { jsonValues } from "@glovebox/settings";
import type { Locator, Page } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems } from "./axe.ts";
import { startDashboard, type DashboardService } from "./dashboard-service.ts";
import { unexpected } from "./signed-in-user.ts";
import { FINDING, completedScan } from "./stored-scans.ts";

let dashboard: DashboardService;
beforeAll(async () => {
  dashboard = await startDashboard();
});
afterAll(() => dashboard?.[Symbol.asyncDispose]());

/** The shop does not share this expectation: each user reads the account. */
const EXPECTATIONS = [{ identity: "carol", deny: ["GET /v2/me"] }];

/** Scans the shop of the demo as its four users; the scan when it has ended. */
async function scanShop(): Promise<CompletedScan> {
  const { service } = dashboard;
  const demo = /Demo target, vulnerable on purpose: (\S+)/.exec(service.printed)![1]!;
  const url = `${new URL(demo).origin}/shop`;
  const users = readFileSync(new URL("../../demo/identities.yaml", import.meta.url), "utf8");
  const { value } = jsonValues(users) as { value: { identities: unknown } };
  const submitted = await service.call("/v1/scan", {
    method: "POST",
    body: JSON.stringify({
      ...{ url, specUrl: `${url}/openapi.json` },
      ...{ identities: value.identities, expectations: EXPECTATIONS },
    }),
    headers: { prefer: "respond-async" },
  });
  const { id } = (await submitted.json()) as { id: string };
  const events = await service.call(`/v1/scan/${id}/events`);
  await events.text(); // the stream ends with the scan
  return (await (await service.call(`/v1/scan/${id}`)).json()) as CompletedScan;
}

const MANY: AccessOfCallers[] = Array.from({ length: 1_000 }, (_, at) => ({
  ...{ method: "GET", path: `/things/${String(at).padStart(4, "0")}` },
  access: { alice: "allowed", bob: at % 2 === 0 ? "different" : "refused", anonymous: "refused" },
  ...(at % 250 === 7 && { violations: [{ caller: "bob", finding: FINDING.id }] }),
  ...(at === 999 && { violations: [{ caller: "alice", expectation: "deny" as const }] }),
}));

const gridOf = (page: Page): Locator => page.getByRole("region", { name: "Access by caller" }).first();
const rowsOf = (page: Page): Locator => gridOf(page).locator("tbody tr");
const stored = (report: object, url: string): Promise<string> =>
  completedScan(dashboard.store, { account: "default", url, report });

describe("the grid of a scan with identities", () => {
  test("the grid has what each user of the shop got, and leads from a violation to its finding", async () => {
    const scan = await scanShop();
    expect(scan.status).toBe("completed");
    const violations = scan.accessByCaller!.filter((row) => row.violations);
    const { violations: ofAccount } = violations.find(({ path }) => path.endsWith("/v2/me"))!;
    expect(ofAccount).toContainEqual({ caller: "carol", expectation: "deny" });
    const { page, context } = await dashboard.open();
    await page.goto(`/a/default/scans/${scan.id}`);
    const grid = gridOf(page);
    await grid.getByRole("columnheader", { name: /^bob\s*user$/ }).waitFor();
    expect(await rowsOf(page).count()).toBe(Math.min(100, scan.accessByCaller!.length));
    expect(await accessibilityProblems(page)).toEqual([]);

    await grid.getByRole("button", { name: `Violations ${violations.length}` }).click();
    expect(await rowsOf(page).count()).toBe(violations.length);
    // Though the list of findings is filtered to others.
    const findings = page.getByRole("region", { name: "Findings" });
    await findings.getByRole("group", { name: "Severity" }).getByRole("button").last().click();
    const link = grid.getByRole("link", { name: /^Finding / }).first();
    const fragment = (await link.getAttribute("href"))!;
    await link.click();
    const finding = page.locator(fragment);
    await expect.poll(() => finding.getAttribute("open")).not.toBeNull();
    await expect.poll(() => finding.evaluate((each) => each.getBoundingClientRect().top)).toBeLessThan(300);
    await context.close();
  });

  test("the grid of 1,000 operations is paged, and filtered as a whole", async () => {
    const identities = ["alice", "bob"].map((name) => ({ name, role: "user" as const }));
    const id = await stored({ accessByCaller: MANY, identities }, "https://large.example/");
    const { page, context } = await dashboard.open();
    await page.goto(`/a/default/scans/${id}`);
    const grid = gridOf(page);
    await grid.getByText("1 to 100 of 1,000").waitFor();
    expect(await rowsOf(page).count()).toBe(100);
    for (let at = 2; at <= 10; at++) await grid.getByRole("button", { name: "Next" }).click();
    await grid.getByText("901 to 1,000 of 1,000").waitFor();
    await grid.getByRole("rowheader", { name: "GET /things/0999" }).waitFor();

    await grid.getByRole("button", { name: "Violations 5" }).click();
    await grid.getByText("1 to 5 of 5").waitFor();
    await grid
      .getByRole("cell", { name: /^(Different data|Refused) Finding SQL injection$/ })
      .first()
      .waitFor();
    await grid.getByRole("cell", { name: "Allowed Expected: refused" }).waitFor();
    await grid.getByLabel("Operation contains").fill("/THINGS/0257");
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await grid.getByLabel("Operation contains").fill("nothing has this");
    await grid.getByText("No operation matches").waitFor();
    await context.close();
  });

  test("the grid keeps its header in view while it is scrolled", async () => {
    const id = await stored({ accessByCaller: MANY }, "https://scrolled.example/");
    const { page, context } = await dashboard.open();
    await page.goto(`/a/default/scans/${id}`);
    const header = gridOf(page).getByRole("columnheader", { name: "Operation" });
    await header.waitFor();
    const offset = (): Promise<number> =>
      header.evaluate(
        (cell) => cell.getBoundingClientRect().top - cell.closest("[tabindex]")!.getBoundingClientRect().top,
      );
    const before = await offset();
    await gridOf(page)
      .locator("[tabindex]")
      .evaluate((scroller) => scroller.scrollTo(0, 1_000));
    await rowsOf(page).nth(40).scrollIntoViewIfNeeded();
    expect(Math.abs((await offset()) - before)).toBeLessThan(2);
    await context.close();
  });

  test.each([320, 1280])(
    "the grid is accessible at %i pixels, and does not widen the page",
    async (width) => {
      const id = await stored({ accessByCaller: MANY.slice(0, 20) }, `https://narrow-${width}.example/`);
      for (const colorScheme of ["light", "dark"] as const) {
        const { page, context } = await dashboard.open({ viewport: { width, height: 900 }, colorScheme });
        await page.goto(`/a/default/scans/${id}`);
        await rowsOf(page).first().waitFor();
        expect(await accessibilityProblems(page)).toEqual([]);
        const overflows = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
        expect(await page.evaluate<boolean>(overflows)).toBe(false);
        await context.close();
      }
    },
  );

  test("the grid says when no caller got what it must not", async () => {
    const clean = MANY.slice(0, 5).map(({ violations: _, ...row }) => row);
    const id = await stored({ accessByCaller: clean }, "https://clean.example/");
    const { page, context } = await dashboard.open();
    await page.goto(`/a/default/scans/${id}`);
    await gridOf(page).getByRole("button", { name: "Violations 0" }).click();
    await page.getByRole("heading", { name: "No violations" }).waitFor();
    expect(await rowsOf(page).count()).toBe(0);
    await context.close();
  });
});

test("a scan without identities says so, and leads to one with them", async () => {
  const id = await stored({}, "https://anonymous.example/");
  const { page, context } = await dashboard.open();
  await page.goto(`/a/default/scans/${id}`);
  const panel = gridOf(page);
  await panel.getByRole("heading", { name: "This scan had no identities" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await panel.getByRole("link", { name: "Start a scan with identities" }).click();
  await page.getByLabel("URL of the API").waitFor();
  await context.close();
});

test("no page had another error, a violation of the Content-Security-Policy, or a request to another host", () => {
  expect(unexpected(dashboard.problems)).toEqual([]);
});
