import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser } from "@playwright/test";
import { startDemo } from "@glovebox/demo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { glovebox, temporaryFolder } from "../standalone/command.ts";

const folder = temporaryFolder();
const file = join(folder.path, "report.html");
let browser: Browser;

beforeAll(async () => {
  const demo = await startDemo({ variant: "vulnerable", port: 0, certificateDir: folder.path });
  const ca = join(folder.path, "ca.pem");
  writeFileSync(ca, demo.caPem);
  await glovebox("scan", demo.url, "--allow-private", "--ca", ca, "--format", "html", "--output", file);
  await demo.close();
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage"],
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  folder[Symbol.dispose]();
});

/** The report on a page of this width, and what the browser complained of or asked for. */
async function opened(width: number) {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const seen: string[] = [];
  page.on("console", (message) => seen.push(message.text()));
  page.on("pageerror", (error) => seen.push(error.message));
  page.on("request", (request) => seen.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  return { page, seen };
}

describe("a report in HTML", () => {
  test("breaks none of its policies, and asks for nothing", async () => {
    const { page, seen } = await opened(1280);
    expect(seen).toEqual([pathToFileURL(file).href]);
    expect(await page.locator("article").count()).toBeGreaterThan(10);
    const colour = await page.evaluate('getComputedStyle(document.querySelector(".severity")).color');
    expect(colour).toBe("rgb(255, 255, 255)"); // the style block is in force
  });

  test("fits a width of 320 pixels with its proofs open", async () => {
    const { page } = await opened(320);
    await page.locator("details").evaluateAll((all) => all.forEach((each) => each.setAttribute("open", "")));
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  });

  test("shows its proofs on paper, where nobody can open them", async () => {
    const { page } = await opened(1280);
    const proof = page.locator("details pre").first();
    const isShown = () => proof.evaluate((each) => each.checkVisibility({ contentVisibilityAuto: true }));
    expect(await isShown()).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await isShown()).toBe(true);
  });
});
