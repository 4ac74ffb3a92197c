import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems } from "./axe.ts";
import { scanDemo, schedule, startDashboard, type DashboardService } from "./dashboard-service.ts";
import { exportReport } from "./export-report.ts";
import { examine } from "./examine.ts";
import { LOOKS, PAGES } from "./pages.ts";

const TIMEOUT = 180_000;

let dashboard: DashboardService;
beforeAll(async () => {
  dashboard = await startDashboard();
  await scanDemo(dashboard.service);
  await schedule(dashboard.service);
});
afterAll(() => dashboard?.[Symbol.asyncDispose]());

const DAY_MS = 86_400_000;
/** A day such as `2027-01-31`, this many days from now. */
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const statusWith = async (key: string): Promise<number> => {
  const response = await fetch(`${dashboard.service.address}/v1/scans`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.status;
};

describe("a browser without a session", () => {
  test("a browser without a session is sent to the sign-in page, and back to the same list afterwards", async () => {
    const response = await fetch(`${dashboard.url}/keys?page=2`, {
      headers: { accept: "text/html" },
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/sign-in?next=%2Fkeys%3Fpage%3D2",
    ]);
  });
});

describe("an owner", () => {
  test("creates a key that works, and revokes it so that it is refused", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/keys");
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("Continuous integration");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const key = (await page.getByRole("region", { name: "API key" }).textContent())!;
    expect(await statusWith(key)).toBe(200);
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole("button", { name: "I have copied it" }).click();
    const row = page.getByRole("row", { name: /Continuous integration/ });
    await row.getByRole("button", { name: /Change/ }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await row.getByText("Revoked").waitFor();
    await expect.poll(() => statusWith(key), { timeout: 5_000 }).toBe(401);
    await context.close();
  });

  test("reads the report of a scan: what was tested, the grade, the proof of a finding, and exports it", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/scans");
    await page.getByRole("row").getByRole("link").first().click();
    await page.getByRole("heading", { name: "What was tested" }).waitFor();
    expect(await page.getByText(/accepted or false positive, the score is/).count()).toBe(0);
    await page.getByText(/deductions from/).click();
    await page.locator("details[data-row] > summary").first().click();
    await page.getByRole("region", { name: "curl command" }).first().waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const { name, text } = await exportReport(page, "SARIF");
    expect(name).toMatch(/^glovebox-[\w.-]+\.sarif$/);
    expect(JSON.parse(text)).toMatchObject({ version: "2.1.0" });
    await context.close();
  });

  test("starts a scan, watches it, cancels it, starts it again, and deletes it", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/scans/new");
    const [, demo] = /Demo target, vulnerable on purpose: (\S+)/.exec(dashboard.service.printed)!;
    await page.getByLabel("URL of the API").fill(demo!);
    await page.getByRole("button", { name: "Start the scan" }).click();
    await page.getByText(/of [\d,]+ checks done/).waitFor();
    await page.getByRole("button", { name: "Cancel the scan" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the scan" }).click();
    await page.getByRole("heading", { name: "Why it failed" }).waitFor();

    const cancelled = page.url();
    await page.getByRole("button", { name: "Scan again" }).click();
    await page.getByText(/of [\d,]+ checks done/).waitFor();
    expect(page.url()).not.toBe(cancelled);
    await page.getByRole("button", { name: "Cancel the scan" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the scan" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const deleted = new URL(page.url()).pathname;
    await page.getByRole("button", { name: "Delete the scan" }).click();
    await page.waitForURL(/\/scans$/);
    await page.getByText("The scan was deleted.").waitFor();
    expect(await page.locator(`a[href="${deleted}"]`).count()).toBe(0);
    await context.close();
  });

  test("reads a finding, and accepts its risk until a day, with a reason that its history shows", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/");
    await page.getByRole("link", { name: /Open findings/ }).click();
    await page.getByLabel("Severity").selectOption("Critical");
    await page.waitForURL(/severity=/);
    const link = page.getByRole("row").getByRole("link").first();
    const title = (await link.textContent())!;
    await link.click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    await page.getByRole("button", { name: "Triage" }).click();
    await page.getByText("1 finding changes.").waitFor();
    await page.getByLabel("Reason").fill("Only reachable through the VPN.");
    await page.getByLabel("Until").fill(inDays(30));
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Accept the risk" }).click();
    await page.getByText("1 finding was changed.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Risk accepted" }).getByText("VPN").waitFor();

    await page.goto("/findings?status=accepted");
    await page.getByRole("link", { name: title }).first().waitFor();

    await page.goto("/scans?status=completed");
    await page.getByRole("row").getByRole("link").first().click();
    await page.getByText(/Without the finding that is accepted or false positive, the score is/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await context.close();
  });

  test("schedules a scan, sees its next run in words, suspends it, and deletes it", async () => {
    const { page, context } = await dashboard.open({ timezoneId: "Asia/Tokyo" });
    await page.goto("/schedules");
    await page.getByRole("button", { name: "Create a schedule" }).click();
    await page.getByLabel("Name").fill("Each night");
    const [, demo] = /Demo target, vulnerable on purpose: (\S+)/.exec(dashboard.service.printed)!;
    await page.getByLabel("URL of the API").fill(demo!);
    await page.getByLabel("Cron expression").fill("*/5 2 * * *");
    await page.getByText("runs more often than every 60 minutes").waitFor();
    await page.getByLabel("Cron expression").fill("30 2 * * *");
    await page.getByText(/^Next: (today|tomorrow) at 02:30, /).waitFor();
    expect(await page.getByLabel("Time zone").inputValue()).toBe("Asia/Tokyo");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const row = page.getByRole("row", { name: /Each night/ });
    await row.getByText(/^(today|tomorrow) at 02:30 \(Asia\/Tokyo\)$/).waitFor();

    await page.goto("/targets/1");
    await page
      .getByRole("row", { name: /Each night/ })
      .getByText(/at 02:30/)
      .waitFor();
    await page.goto("/schedules");
    const choose = async (action: string): Promise<void> => {
      await row.getByRole("button", { name: /Change/ }).click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    await choose("Suspend");
    await row.getByText("Suspended").waitFor();
    await choose("Resume");
    await row.getByText(/at 02:30/).waitFor();
    await choose("Edit");
    await page.getByLabel("Cron expression").fill("45 3 * * 1");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText(/at 03:45/).waitFor();
    await row.getByRole("button", { name: /the runs of/ }).click();
    await page.getByRole("dialog").getByText("No runs yet").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await choose("Delete");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await row.waitFor({ state: "detached" });
    await context.close();
  });

  test("invites somebody by a link that is shown once, and revokes the invitation so that the link is dead", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/members");
    await page.getByRole("row", { name: /Ada Owner/ }).waitFor();
    await page.getByRole("button", { name: "Invite a member" }).click();
    await page.getByLabel("E-mail address").fill("grace@example.test");
    await page.getByLabel("Role").selectOption("Viewer");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const link = (await page.getByRole("region", { name: "Invitation link" }).textContent())!;
    const opened = async (): Promise<number> =>
      (await fetch(new URL(new URL(link).pathname, dashboard.service.address))).status;
    expect(await opened()).toBe(200);
    await page.getByRole("button", { name: "I have copied it" }).click();

    const row = page.getByRole("row", { name: /grace@example.test/ });
    await row.getByText("Viewer").waitFor();
    await row.getByRole("button", { name: /Revoke/ }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("The link of grace@example.test was revoked.").waitFor();
    expect(await row.count()).toBe(0);
    expect(await opened()).toBeGreaterThanOrEqual(400);

    await page.goto("/audit?area=member");
    await page.getByRole("row", { name: /member\.withdrawInvitation/ }).waitFor();
    await page.getByRole("row", { name: /grace@example\.test.*role: viewer/ }).waitFor();
    await context.close();
  });

  test("creates a webhook whose secret is shown once, edits it, sends a test, rotates the secret, and deletes it", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/webhooks");
    await page.getByRole("button", { name: "Create a webhook" }).click();
    const [, demo] = /Demo target, vulnerable on purpose: (\S+)/.exec(dashboard.service.printed)!;
    await page.getByLabel("URL").fill(`${demo}/hook`);
    await page.getByLabel("Scan failed").uncheck();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const secret = page.getByRole("region", { name: "Signing secret" });
    const first = await secret.textContent();
    expect(first).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "I have copied it" }).click();

    const row = page.getByRole("row", { name: /hook/ });
    await row.getByText("Scan completed, Scan regressed").waitFor();
    const choose = async (action: string): Promise<void> => {
      await row.getByRole("button", { name: /Change/ }).click();
      await page.getByRole("menuitem", { name: action }).click();
    };
    await choose("Edit");
    await page.getByLabel("Description").fill("To the chat");
    await page.getByLabel("Scan failed").check();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("Scan completed, Scan failed, Scan regressed").waitFor();
    await choose("Send a test");
    await row.getByRole("button", { name: /the deliveries to/ }).click();
    await page.getByRole("dialog").getByRole("cell", { name: "Test", exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await choose("Rotate the secret");
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    expect(await secret.textContent()).not.toBe(first);
    await page.getByRole("button", { name: "I have copied it" }).click();
    await choose("Delete");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("/hook was deleted.").waitFor();
    expect(await row.count()).toBe(0);
    await context.close();
  });

  test("sees what the account has used of its plan", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/usage");
    await page.getByText("Scans left").waitFor();
    expect(await page.getByRole("table", { name: "Scans per day" }).getByRole("row").count()).toBeGreaterThan(
      1,
    );
    await context.close();
  });

  test("an owner is told what is wrong with a key, in the form", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/keys");
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("Old");
    await page.getByLabel("Valid until").fill("2020-01-01");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("alert").getByText("must be in the future").waitFor();
    await context.close();
    // Chromium reports the refusal itself.
    expect(dashboard.problems.splice(0)).toEqual([expect.stringContaining("400")]);
  });

  test("moves by keyboard alone: the list of shortcuts, and from row to row", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/keys");
    await page.getByRole("row", { name: /first/ }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("j");
    await expect
      .poll(() => page.evaluate<string>("document.activeElement?.textContent"))
      .toBe("Change first");
    await context.close();
  });

  test("keeps the chosen theme, which is there before any script runs", async () => {
    const { page, context } = await dashboard.open({ colorScheme: "light" });
    await page.goto("/settings");
    await page.getByLabel("Theme").selectOption("dark");
    const blocked = await context.newPage();
    await blocked.route("**/*.js", (route) => route.abort());
    await blocked.goto("/settings");
    expect(await blocked.locator("html").getAttribute("class")).toBe("theme-dark");
    expect(await blocked.evaluate<string>("getComputedStyle(document.body).backgroundColor")).toBe(
      "rgb(13, 17, 23)",
    );
    await context.close();
  });
});

describe("every page", () => {
  test.each(LOOKS)(
    "in $colorScheme at $viewport.width pixels has nothing that axe objects to, and fits the screen",
    async ({ colorScheme, viewport }) => {
      await examine(
        await dashboard.open({ colorScheme, viewport }),
        PAGES,
        `${colorScheme}-${viewport.width}`,
      );
    },
    TIMEOUT,
  );

  test("every page has loaded without an error, a violation of the Content-Security-Policy, or a request to another host", () => {
    expect(dashboard.problems).toEqual([]);
  });
});
