import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { completedScanSchema } from "@glovebox/contract";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { XMLValidator } from "fast-xml-parser";
import type { Log } from "sarif";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startIdentityProvider, type IdentityProvider } from "../../api/src/testing/identity-provider.ts";
import { accessibilityProblems } from "../dashboard/axe.ts";
import { exportReport } from "../dashboard/export-report.ts";
import { temporaryFolder } from "../standalone/command.ts";
import { serve, type Service } from "../standalone/service.ts";
import { freePort } from "../support/free-port.ts";
import { signIn } from "../../api/src/testing/admin-program.ts";
import { adminStatus, launchChromium, throughProvider } from "./chromium.ts";
import { csvWidths, sarifProblems } from "./report-formats.ts";

const run = promisify(execFile);
const ADA = { email: "ada@example.com", password: "correct horse battery" };
const SCAN_MS = 120_000;
const DAY_MS = 86_400_000;
const folder = temporaryFolder();
const problems: string[] = [];
let service: Service;
let corp: IdentityProvider;
let browser: Browser;
let origin: string;
let demo: string;
let context: BrowserContext;
let page: Page;
/** What the first steps make and the later ones use. */
let key: string;
let scanPath: string;
let accepted: string;

beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  corp = await startIdentityProvider("corp", {
    roles: [
      { group: "auditors", account: "default", role: "viewer" },
      { group: "partners", account: "partners", role: "owner" },
    ],
  });
  corp.serve(origin);
  for (const group of ["auditors", "partners"])
    corp.people.set(group, { email: `${group}@corp.example`, email_verified: true, groups: [group] });
  const providers = join(folder.path, "providers.yaml");
  writeFileSync(providers, JSON.stringify({ providers: [corp.setting] }));
  service = await serve(join(folder.path, "data"), { PORT: String(port), GLOVEBOX_OIDC_FILE: providers });
  demo = /Demo target, vulnerable on purpose: (\S+)/.exec(service.printed)![1]!;
  browser = await launchChromium();
  ({ context, page } = await newBrowser());
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await corp?.close();
  folder[Symbol.dispose]();
});

/** A separate browser. Its errors are problems, except those that match. */
async function newBrowser(expected?: RegExp): Promise<{ context: BrowserContext; page: Page }> {
  const made = await browser.newContext({ baseURL: origin });
  // The pages of the provider ask for fonts.
  const isElsewhere = ({ hostname }: URL): boolean => !["localhost", "127.0.0.1"].includes(hostname);
  await made.route(isElsewhere, (route) => route.abort());
  const opened = await made.newPage();
  opened.setDefaultTimeout(20_000);
  opened.on("pageerror", (error) => problems.push(error.message));
  opened.on("console", (message) => {
    const isOurs = message.type() === "error" && message.location().url.startsWith(origin);
    if (isOurs && !expected?.test(message.text())) problems.push(`${opened.url()}: ${message.text()}`);
  });
  return { context: made, page: opened };
}

async function expectAccessible(shown = page): Promise<void> {
  expect([shown.url(), await accessibilityProblems(shown)]).toEqual([shown.url(), []]);
}

const curl = async (...args: string[]): Promise<string> =>
  (await run("curl", ["--silent", ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
const statusWithKey = (): Promise<string> =>
  curl(
    "--output",
    "/dev/null",
    "--write-out",
    "%{http_code}",
    "-H",
    `Authorization: Bearer ${key}`,
    `${origin}/v1/scans`,
  );
const exported = async (format: string): Promise<string> => {
  await page.goto(scanPath);
  return (await exportReport(page, format)).text;
};
describe("from the first start to the sign-out", () => {
  test("the start names the dashboard and a link, which makes the first administrator", async () => {
    expect(service.printed).toContain(`Dashboard: ${origin}\n`);
    await page.goto(/http:\S+\/invitation\/\S+/.exec(service.printed)![0]);
    await expectAccessible();
    await page.getByLabel("E-mail address").fill(ADA.email);
    await page.getByLabel("Your name").fill("Ada Lovelace");
    await page.getByLabel("Password").fill(ADA.password);
    await page.getByRole("button", { name: "Accept" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goto("about:blank"); // or its requests without cookies would lead to the sign-in page meanwhile
    await context.clearCookies();
  });

  test("a sign-in with the password leads to the page that was asked for", async () => {
    await page.goto("/keys");
    await expectAccessible();
    await page.getByLabel("E-mail address").fill(ADA.email);
    await page.getByLabel("Password").fill(ADA.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${origin}/a/default/keys`);
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  });

  test("a program signs in, and makes an account over the admin interface", async () => {
    const client = await signIn(origin, ADA);
    const terms = { plan: "pro", requestsPerMinute: null, scansPerMonth: null, activeMode: false } as const;
    await client.accounts.create.mutate({ name: "partners", ...terms });
    const accounts = await client.accounts.list.query({ text: "partners" });
    expect(accounts).toMatchObject([{ name: "partners", plan: "pro" }]);
  });

  test("a new key works in the command that the dashboard shows with it", async () => {
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("Deployments");
    await expectAccessible();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    key = (await page.getByRole("region", { name: "API key" }).textContent())!;
    await expectAccessible();
    const command = (await page.getByRole("region", { name: "curl command" }).textContent())!;
    const { stdout } = await run("sh", ["-c", command]);
    expect(JSON.parse(stdout)).toMatchObject({ scans: [] });
    await page.getByRole("button", { name: "I have copied it" }).click();
  });

  test(
    "a scan is started, followed and ends with a report",
    async () => {
      await page.goto("/scans/new");
      await expectAccessible();
      await page.getByLabel("URL of the API").fill(demo);
      await page.getByLabel("URL of its OpenAPI document").fill(`${demo}/openapi.json`);
      await page.getByRole("button", { name: "Start the scan" }).click();
      await page.getByText(/of [\d,]+ checks done/).waitFor();
      await expectAccessible();
      await page.getByRole("heading", { name: "What was tested" }).waitFor({ timeout: SCAN_MS });
      scanPath = new URL(page.url()).pathname;
      await expectAccessible();
    },
    SCAN_MS,
  );

  test("a finding is read, and its risk accepted until a day", async () => {
    await page.goto("/");
    await expectAccessible();
    await page.getByRole("link", { name: /Open findings/ }).click();
    await page.getByLabel("Severity").selectOption("Critical");
    await page.waitForURL(/severity=/);
    const link = page.getByRole("row").getByRole("link").first();
    accepted = (await link.textContent())!;
    await expectAccessible();
    await link.click();
    await page.getByRole("heading", { level: 1, name: accepted }).waitFor();
    await page.getByRole("region", { name: "curl command" }).first().waitFor();
    await expectAccessible();
    await page.getByRole("button", { name: "Triage" }).click();
    await page.getByText("1 finding changes.").waitFor();
    await page.getByLabel("Reason").fill("Only reachable through the VPN.");
    await page.getByLabel("Until").fill(new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10));
    await expectAccessible();
    await page.getByRole("button", { name: "Accept the risk" }).click();
    await page.getByText("1 finding was changed.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Risk accepted" }).getByText("VPN").waitFor();
  });

  test(
    "a second scan, started with the key, is compared with the first",
    async () => {
      const body = JSON.stringify({ url: demo, specUrl: `${demo}/openapi.json` });
      const bearer = `Authorization: Bearer ${key}`;
      const response = await curl(
        "-H",
        bearer,
        "-H",
        "Prefer: respond-async",
        "--json",
        body,
        `${origin}/v1/scan`,
      );
      const { id } = JSON.parse(response) as { id: string };
      await page.goto(`/scans/${id}`);
      await page.getByRole("heading", { name: "What was tested" }).waitFor({ timeout: SCAN_MS });
      await page.goto("/scans");
      for (const nth of [0, 1]) await page.getByRole("checkbox").nth(nth).check();
      await expectAccessible();
      await page.getByRole("button", { name: "Compare selected" }).click();
      await page.getByRole("table", { name: "The two scans" }).waitFor();
      expect(await page.getByRole("table", { name: "Unchanged" }).getByRole("row").count()).toBeGreaterThan(
        10,
      );
      await expectAccessible();
    },
    SCAN_MS,
  );
});

describe("the report of the scan", () => {
  test("the report of the scan in JSON is a Scan, in which the risk is accepted", async () => {
    const report = JSON.parse(await exported("JSON")) as { triage: Record<string, { status: string }> };
    expect(completedScanSchema.safeParse(report).success).toBe(true);
    expect(Object.values(report.triage).map(({ status }) => status)).toEqual(["accepted"]);
  });

  test("the report of the scan in SARIF follows the schema, and suppresses the accepted finding alone", async () => {
    const log = JSON.parse(await exported("SARIF")) as Log;
    expect(sarifProblems(log)).toEqual([]);
    const suppressed = log.runs[0]!.results!.filter(({ suppressions }) => suppressions?.length);
    expect(suppressed).toHaveLength(1);
  });

  test("the report of the scan in JUnit is XML", async () => {
    const report = await exported("JUnit");
    expect(XMLValidator.validate(report)).toBe(true);
    expect(report).toContain("<testsuites");
  });

  test("the report of the scan in HTML is one page without script", async () => {
    const report = await exported("HTML");
    expect(report).toMatch(/^<!doctype html>/i);
    expect(report).not.toMatch(/<script|\son\w+=/i);
  });

  test("the report of the scan in CSV has the same number of cells in each row", async () => {
    const widths = csvWidths(await exported("CSV"));
    expect(widths.length).toBeGreaterThan(10);
    expect(new Set(widths).size).toBe(1);
  });

  test("the report of the scan in Markdown names the twelve categories and the accepted finding", async () => {
    const report = await exported("Markdown");
    expect(report.match(/^\| .* \| (\d+|–) \| .*$/gm)).toHaveLength(12);
    expect(report).toContain("Only reachable through the VPN");
  });
});

describe("others", () => {
  test("users who may only read are shown no button, and are refused without it too", async () => {
    const { context: theirs, page: shown } = await newBrowser();
    await shown.goto(scanPath);
    await shown.getByRole("link", { name: "Continue with Provider corp" }).click();
    await throughProvider(shown, "auditors");
    await shown.waitForURL(`${origin}${scanPath}`);
    await shown.getByRole("heading", { name: "What was tested" }).waitFor();
    await shown.goto("/findings");
    await shown.getByRole("link", { name: accepted }).first().click();
    await shown.getByRole("heading", { level: 1, name: accepted }).waitFor();
    expect(await shown.getByRole("button", { name: "Triage" }).count()).toBe(0);
    expect(await adminStatus(theirs, "session.me", {}, "GET")).toBe(200);
    expect(await adminStatus(theirs, "scans.start", { url: demo })).toBe(403);
    expect(await adminStatus(theirs, "keys.create", { name: "Mine", scopes: [] })).toBe(403);
    expect(await adminStatus(theirs, "accounts.list", {}, "GET")).toBe(403);
    await theirs.close();
  });

  test("users of another account find nothing of this one", async () => {
    const { context: theirs, page: shown } = await newBrowser(/status of 404/);
    await shown.goto(scanPath);
    await shown.getByRole("link", { name: "Continue with Provider corp" }).click();
    await throughProvider(shown, "partners");
    await shown.waitForURL(`${origin}${scanPath}`);
    await shown.getByText("You do not have access to this account").waitFor();
    expect(await shown.getByRole("heading", { name: "What was tested" }).count()).toBe(0);
    const id = scanPath.split("/").at(-1)!;
    expect(await adminStatus(theirs, "session.me", {}, "GET")).toBe(200);
    expect(await adminStatus(theirs, "scans.get", { id }, "GET")).toBe(404);
    expect(await adminStatus(theirs, "scans.delete", { id })).toBe(404);
    expect(await adminStatus(theirs, "findings.get", { id: 1 }, "GET")).toBe(404);
    await theirs.close();
  });
});

describe("the end", () => {
  test("a revoked key is refused", async () => {
    expect(await statusWithKey()).toBe("200");
    await page.goto("/keys");
    const row = page.getByRole("row", { name: /Deployments/ });
    await row.getByRole("button", { name: /Change/ }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await expectAccessible();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await row.getByText("Revoked").waitFor();
    await expect.poll(statusWithKey, { timeout: 5_000 }).toBe("401");
  });

  test("signing out everywhere ends the session of the other browser", async () => {
    const { context: elsewhere, page: other } = await newBrowser();
    await other.goto("/settings");
    await other.getByLabel("E-mail address").fill(ADA.email);
    await other.getByLabel("Password").fill(ADA.password);
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.waitForURL(`${origin}/a/default/settings`);
    await page.goto("/settings");
    await expectAccessible();
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await page.getByText(/other sessions? (was|were) ended/).waitFor();
    await other.goto("/scans");
    expect(new URL(other.url()).pathname).toBe("/sign-in");
    expect(await adminStatus(elsewhere, "session.me", {}, "GET")).toBe(401);
    await page.reload();
    expect(new URL(page.url()).pathname).toBe("/a/default/settings");
  });

  test("no page had an error or a violation of its policy on the way", () => {
    expect(problems).toEqual([]);
  });
});
