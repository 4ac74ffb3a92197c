import { fileURLToPath } from "node:url";
import type { CompletedScan } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiProcess } from "./api-process.ts";
import { ensureInstalled } from "./installed.ts";
import { expected, findingsFrom, type Verified } from "./verified-findings.ts";
import { scanBehindTls } from "./scan-behind-tls.ts";
import { PRIVATE_PACKAGE, PUBLIC_PACKAGE, startVerdaccio } from "./verdaccio.ts";

// Public packages are public by intent, and everything else asks for a token: verified with curl, docs/real-apis.md.
const VERIFIED: readonly Verified[] = [];

let api: ApiProcess;
beforeAll(async () => {
  await ensureInstalled();
  api = await startVerdaccio();
}, 300_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const status = async (path: string): Promise<number> => (await fetch(api.address + path)).status;

test("the registry gives its public package to anybody and denies the private one", async () => {
  expect(await status(`/${PUBLIC_PACKAGE}`)).toBe(200);
  expect(await status(`/${encodeURIComponent(PRIVATE_PACKAGE)}`)).toBe(401);
});

const published = async (): Promise<string> => {
  await api.ready();
  return (await fetch(`${api.address}/${PUBLIC_PACKAGE}`)).text();
};

test("Verdaccio scanned without a document has no operation that is found, so it gets a reason and no grade", async () => {
  const before = await published();
  await expect(scanBehindTls(api)).rejects.toThrow("No operation of an API was found");
  expect(await published()).toBe(before);
});

describe("Verdaccio, a registry with authentication, scanned with a document", () => {
  let before: string;
  let scan: CompletedScan;
  beforeAll(async () => {
    before = await published();
    scan = await scanBehindTls(api, fileURLToPath(new URL("verdaccio.openapi.json", import.meta.url)));
  });

  test("nothing is reported as medium or worse but what a person has verified", () => {
    expect(findingsFrom(scan, "medium")).toEqual(expected(VERIFIED));
  });

  test("that HSTS is missing is reported", () => {
    expect(findingsFrom(scan, "low")).toContain("low encryption/hsts GET /");
  });

  test("the package is as it was published", async () => {
    expect(await published()).toBe(before);
  });
});
