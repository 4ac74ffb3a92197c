import { newScanId } from "@glovebox/contract";
import { reporting, type SampleFinding } from "@glovebox/store/testing";
import type { Page } from "@playwright/test";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { accessibilityProblems } from "./axe.ts";
import { PASSWORD, startDashboard, type DashboardService } from "./dashboard-service.ts";

let dashboard: DashboardService;
beforeAll(async () => {
  dashboard = await startDashboard({ GLOVEBOX_DEMO: "off" });
});
afterAll(() => dashboard?.[Symbol.asyncDispose]());
// Chromium reports refused and failed requests itself; every other problem fails the test.
afterEach(() => {
  const found = dashboard.problems.splice(0);
  expect(
    found.filter((text) => !/Failed to load resource|ERR_INTERNET_DISCONNECTED|PageNotLoaded/.test(text)),
  ).toEqual([]);
});

/** A completed scan of an account, with these findings. */
async function completedScan(
  name: string,
  url: string,
  findings: SampleFinding[] = [FINDING],
): Promise<string> {
  const account = (await dashboard.store.accounts.find(name))!;
  const id = newScanId(new Date());
  await dashboard.store.scans.submit({ id, account, url });
  await dashboard.store.work.record(id, reporting(findings));
  const { status } = (await dashboard.store.scans.get(account.id, id))!;
  // The worker of the service may have been faster, and have found that there is no such host.
  return status === "completed" ? id : completedScan(name, url, findings);
}
const FINDING: SampleFinding = {
  id: "a".repeat(16),
  places: ["GET /orders"],
  severity: "high",
  title: "SQL injection",
};
const MANY = Array.from({ length: 30 }, (_, at): SampleFinding => ({
  ...FINDING,
  ...{ id: at.toString(16).padStart(16, "0"), places: [`GET /${at}`], title: `Finding ${at}` },
}));
const keysOf = async (name: string): Promise<string[]> => {
  const account = (await dashboard.store.accounts.find(name))!;
  return (await dashboard.store.keys.list(account.id)).map((key) => key.name);
};
const endSessions = async (page: Page): Promise<void> => {
  const { result } = (await (
    await page.request.get("/admin/trpc/session.me?input=%7B%7D", SAME_ORIGIN)
  ).json()) as {
    result: { data: { id: string } };
  };
  await dashboard.store.sessions.deleteAllOfUser(result.data.id);
};
const SAME_ORIGIN = { headers: { "sec-fetch-site": "same-origin" } };
const createKey = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Create", exact: true }).click();
};

describe("two tabs on two accounts", () => {
  test("show and change each its own, whatever the other one does", async () => {
    const { page: first, context } = await dashboard.openAsMemberOfTwo();
    await first.goto("/a/default/keys");
    await first.getByRole("heading", { name: "API keys" }).waitFor();
    const second = await context.newPage();
    await second.goto("/a/payments/findings");
    await second.getByText("No finding").first().waitFor();
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

  test("are changed by the choice of an account, which is another address", async () => {
    const { page, context } = await dashboard.openAsMemberOfTwo();
    await page.goto("/a/default/findings");
    await page.getByLabel("Account").selectOption("payments");
    await page.waitForURL(/\/a\/payments\/$/);
    await page.goBack();
    await page.waitForURL(/\/a\/default\/findings$/);
    await page.getByRole("heading", { level: 1, name: "Findings" }).waitFor();
    await context.close();
  });

  test("have links that work for every colleague, and say so to those without access", async () => {
    const { page: theirs, context: ofTwo } = await dashboard.openAsMemberOfTwo();
    const id = await completedScan("payments", "https://pay.example/");
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

  test("are what links of earlier releases lead to: the account opened last", async () => {
    const { page, context } = await dashboard.openAsMemberOfTwo();
    await page.goto("/a/payments/");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goto("/findings?status=open");
    await page.waitForURL(/\/a\/payments\/findings\?status=/);
    await context.close();
  });
});

describe("a dialog", () => {
  test("with a secret is closed by its button alone", async () => {
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

  test("is continued when the user signs in in another tab", async () => {
    const { page, context } = await dashboard.openAsMemberOfTwo();
    await page.goto("/a/payments/findings");
    await page.getByText("No finding").first().waitFor();
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
    await context.close();
  });
});

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

  test("a response that is no JSON is explained without the parser's words", async () => {
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
    const { result } = (await (
      await page.request.get("/admin/trpc/session.me?input=%7B%7D", SAME_ORIGIN)
    ).json()) as {
      result: { data: { id: string; email: string } };
    };
    const account = (await dashboard.store.accounts.find("payments"))!;
    await dashboard.store.users.setRole(result.data.id, account.id, "viewer"); // ends the session
    await page.goto("/a/payments/keys");
    await page.getByLabel("E-mail address").fill(result.data.email);
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

describe("filters", () => {
  test("of a link are all shown, with the target, and each is removed alone", async () => {
    const { page, context } = await dashboard.open();
    await completedScan("default", "https://filtered.example/");
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

  test("by text follow the typing, without Enter", async () => {
    const { page, context } = await dashboard.open();
    await page.goto("/a/default/findings");
    await page.getByLabel("Title or place contains").pressSequentially("nothing has this");
    await page.getByText("No finding matches").waitFor();
    expect(await page.getByLabel("Title or place contains").inputValue()).toBe("nothing has this");
    await context.close();
  });
});

describe("counts beyond what is counted", () => {
  test("say so, and a decision about too many is refused before anything is typed", async () => {
    const { page, context } = await dashboard.open();
    await page.route(/findings\.(list|preview)/, async (route) => {
      const headers = { ...route.request().headers(), ...SAME_ORIGIN.headers };
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
    const id = await completedScan("default", "https://triaged.example/");
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

  test("is scrolled to the finding of a link", async () => {
    const { page, context } = await dashboard.open({ viewport: { width: 1000, height: 500 } });
    const id = await completedScan("default", "https://linked.example/", MANY);
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

  test("shows what is invisible in the text of a target", async () => {
    const { page, context } = await dashboard.open();
    const hostile = { ...FINDING, title: "\u202eevil\u200b", places: ["GET /\u2066x"] };
    const id = await completedScan("default", "https://hostile.example/", [hostile]);
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
