import { fileURLToPath } from "node:url";
import type { CompletedScan } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiProcess } from "./api-process.ts";
import { ensureInstalled } from "./installed.ts";
import { expected, findingsFrom, type Verified } from "./review.ts";
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

describe.each<[string, string | undefined]>([
  ["without a document", undefined],
  ["with a document", fileURLToPath(new URL("verdaccio.openapi.json", import.meta.url))],
])("Verdaccio, a registry with authentication, scanned %s", (_how, document) => {
  let before: string;
  let scan: CompletedScan;
  const published = async (): Promise<string> => {
    await api.ready();
    return (await fetch(`${api.address}/${PUBLIC_PACKAGE}`)).text();
  };
  beforeAll(async () => {
    before = await published();
    scan = await scanBehindTls(api, document);
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
