import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";

/** Chooses a format in the menu of the scan that the page shows; the file that the browser gets. */
export async function exportReport(page: Page, format: string): Promise<{ name: string; text: string }> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const started = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: format, exact: true }).click();
  const download = await started;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}
