import { fileURLToPath } from "node:url";
import type { CompletedScan } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiProcess } from "./api-process.ts";
import { ensureInstalled } from "./installed.ts";
import { expected, findingsFrom, type Verified } from "./verified-findings.ts";
import { scanBehindTls } from "./scan-behind-tls.ts";
import { PRIVATE_PACKAGE, PUBLIC_PACKAGE, startVerdaccio } from "./verdaccio.ts";

// Verified with curl: packages are public by design, and all else requires a token (docs/real-apis.md).
const VERIFIED: readonly Verified[] = [
  {
    finding: "high rate-limiting/crash GET /-/v1/search",
    because:
      '`/-/v1/search?text[a]=1` ends the process: `(textSearch || "").split is not a function`, uncaught',
  },
];

let api: ApiProcess;
beforeAll(async () => {
  await ensureInstalled();
  api = await startVerdaccio();
}, 300_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const status = async (path: string): Promise<number> => (await fetch(api.address + path)).status;

test("the public package requires no token, the private one does", async () => {
  expect(await status(`/${PUBLIC_PACKAGE}`)).toBe(200);
  expect(await status(`/${encodeURIComponent(PRIVATE_PACKAGE)}`)).toBe(401);
});

const published = async (): Promise<string> => {
  await api.ready();
  return (await fetch(`${api.address}/${PUBLIC_PACKAGE}`)).text();
};

test("a scan of Verdaccio without an OpenAPI document fails because it finds no operations", async () => {
  const before = await published();
  await expect(scanBehindTls(api)).rejects.toThrow("No operation of an API was found");
  expect(await published()).toBe(before);
});

describe("Verdaccio, a registry with authentication, scanned with an OpenAPI document", () => {
  let before: string;
  let scan: CompletedScan;
  beforeAll(async () => {
    before = await published();
    scan = await scanBehindTls(api, fileURLToPath(new URL("verdaccio.openapi.json", import.meta.url)));
  });

  test("the findings of medium severity or above are exactly the verified ones", () => {
    expect(findingsFrom(scan, "medium")).toEqual(expected(VERIFIED));
  });

  test("missing HSTS is reported", () => {
    expect(findingsFrom(scan, "low")).toContain("low encryption/hsts GET /");
  });

  test("the package has not changed", async () => {
    expect(await published()).toBe(before);
  });
});
