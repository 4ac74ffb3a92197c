import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../standalone/command.ts";
import { serve, type Service } from "../standalone/service.ts";

const folder = temporaryFolder();
let service: Service;
let browser: Browser;

beforeAll(async () => {
  service = await serve(join(folder.path, "data"), { GLOVEBOX_DEMO: "off" });
  browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  folder[Symbol.dispose]();
});

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Each operation of the served OpenAPI document, such as "POST /scan". */
async function documentedOperations(): Promise<string[]> {
  const response = await fetch(`${service.address}/v1/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((key) => (METHODS.includes(key) ? [`${key.toUpperCase()} ${path}`] : [])),
  );
}

describe("/v1/docs in a browser", () => {
  it("shows every operation of the OpenAPI document, without requests to other hosts and without errors", async () => {
    const page = await browser.newPage();
    const hosts = new Set<string>();
    const errors: string[] = [];
    page.on("request", (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol !== "data:" && protocol !== "blob:") hosts.add(host);
    });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));

    await page.goto(`${service.address}/v1/docs`, { waitUntil: "networkidle" });
    await page.locator(".opblock-summary").first().waitFor();
    const shown = await page.locator(".opblock-summary").evaluateAll((blocks) =>
      blocks.map((block) => {
        const text = (part: string) => block.querySelector(part)?.textContent ?? "";
        return `${text(".opblock-summary-method")} ${text(".opblock-summary-path").replaceAll("\u200b", "")}`;
      }),
    );

    const documented = await documentedOperations();
    expect(documented).toContain("POST /scan");
    expect(shown.toSorted()).toEqual(documented.toSorted());
    expect([...hosts]).toEqual([new URL(service.address).host]);
    expect(errors).toEqual([]);
  });
});
