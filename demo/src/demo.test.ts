import { readFile } from "node:fs/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WEAKNESSES } from "./areas/index.ts";
import { startDemo } from "./demo.ts";
import { startApi } from "./testing/api.ts";
import { rowsUnder } from "./testing/readme.ts";

const CATEGORIES = [
  "authentication",
  "bolaAuthorization",
  "bflaAuthorization",
  "propertyAuthorization",
  "inputValidation",
  "rateLimiting",
  "dataExposure",
  "encryption",
  "ssrf",
  "inventoryManagement",
  "unsafeConsumption",
  "llmSecurity",
];

describe("the demo", () => {
  it.each(CATEGORIES)("the demo has at least two weaknesses in the category %s", (category) => {
    expect(WEAKNESSES.filter((weakness) => weakness.category === category).length).toBeGreaterThanOrEqual(2);
  });

  it("the demo has no weakness in an unknown category", () => {
    expect(WEAKNESSES.filter(({ category }) => !CATEGORIES.includes(category))).toEqual([]);
  });

  it("lists exactly its weaknesses in its README", async () => {
    const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
    const expected = WEAKNESSES.map(
      ({ category, method, path, what }) => `${category} | \`${method} ${path}\` | ${what}`,
    );
    expect(rowsUnder(readme, "Weaknesses")).toEqual(expected.toSorted());
  });

  it("counts the requests it receives", async () => {
    const { demo, get } = await startApi("hardened");
    await get("/health");
    await get("/nowhere");
    expect(demo.requests()).toBe(2);
    await demo.close();
  });

  it("serves the shop beside the clinic, or alone", async () => {
    const { demo, get } = await startApi("vulnerable");
    expect((await get("/shop/openapi.json")).text).toContain(`"url":"${demo.shopUrl}"`);
    expect((await get("/.env")).status).toBe(200);
    await demo.close();
    const alone = await startApi("vulnerable", { only: "shop" });
    expect((await alone.get("/shop/openapi.json")).status).toBe(200);
    expect((await alone.get("/.env")).status).toBe(404);
    await alone.demo.close();
  });

  it("refuses to serve the vulnerable variant on an address other than loopback", async () => {
    const options = { variant: "vulnerable", port: 0, host: "0.0.0.0", certificateDir: "unused" } as const;
    await expect(startDemo(options)).rejects.toThrow(/loopback addresses alone, not on 0\.0\.0\.0/);
  });

  it("uses the same authority after a restart with the same directory", async () => {
    const directory = await mkdtemp(join(tmpdir(), "glovebox-demo-"));
    const options = { variant: "vulnerable", port: 0, certificateDir: directory } as const;
    const first = await startDemo(options);
    await first.close();
    const second = await startDemo(options);
    await second.close();
    expect(second.caPem).toBe(first.caPem);
    await rm(directory, { recursive: true });
  });

  it.each(["vulnerable", "hardened"] as const)(
    "describes the %s variant in a valid OpenAPI document with its own URL",
    async (variant) => {
      const { demo, get } = await startApi(variant);
      const document = JSON.parse((await get("/openapi.json")).text) as {
        servers: { url: string }[];
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
      expect(document.servers[0]?.url).toBe(demo.url);
      expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
      expect(JSON.stringify(document)).not.toContain('"type":"id"');
      await demo.close();
    },
  );
});
