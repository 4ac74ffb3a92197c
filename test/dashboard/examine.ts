import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { accessibilityProblems } from "./axe.ts";
import type { DashboardService } from "./dashboard-service.ts";

/** Of every page in every look; an artifact of CI. */
const SCREENSHOTS = fileURLToPath(new URL("../../test-results/dashboard/", import.meta.url));
const OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

type Window = Awaited<ReturnType<DashboardService["open"]>>;

/** Expects nothing that axe objects to on these pages, and that they fit the screen; closes the window. */
export async function examine(
  { page, context }: Window,
  paths: readonly string[],
  look: string,
): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  for (const path of paths) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const loading = page.getByRole("status").filter({ hasText: "Loading" });
    await expect.poll(() => loading.count(), { timeout: 10_000 }).toBe(0);
    expect([path, await accessibilityProblems(page)]).toEqual([path, []]);
    expect([path, await page.evaluate<boolean>(OVERFLOWS)]).toEqual([path, false]);
    const name = `${path.slice(1).replaceAll(/[/?=]/g, "-") || "overview"}-${look}.png`;
    await page.screenshot({ path: join(SCREENSHOTS, name), fullPage: true });
  }
  await context.close();
}
