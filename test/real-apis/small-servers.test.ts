import { fileURLToPath } from "node:url";
import type { CompletedScan } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type ApiProcess } from "./api-process.ts";
import { ensureInstalled } from "./installed.ts";
import { scanBehindTls } from "./scan-behind-tls.ts";
import { SMALL_SERVERS } from "./small-servers.ts";
import { expected, findingsFrom, type Verified } from "./verified-findings.ts";

// Verified with curl (docs/real-apis.md): what these give away is public by design, and the rest is refused.
const LISTED = "anybody may list the buckets and their objects: a server for tests, on purpose";
const VERIFIED: Readonly<Record<"peer" | "oidc-provider" | "s3rver", readonly Verified[]>> = {
  peer: [],
  "oidc-provider": [],
  s3rver: ["/", "/town", "/{bucket}"].map((path) => ({
    finding: `high data-exposure/exposed-object-store GET ${path}`,
    because: LISTED,
  })),
};
const TESTABLE = Object.keys(VERIFIED) as (keyof typeof VERIFIED)[];

const documentOf = (name: string): string => fileURLToPath(new URL(`${name}.openapi.json`, import.meta.url));

beforeAll(ensureInstalled, 300_000);

describe.each(TESTABLE)("%s, scanned with an OpenAPI document", (name) => {
  let api: ApiProcess;
  let scan: CompletedScan;
  beforeAll(async () => {
    api = await startApi(SMALL_SERVERS[name]);
    scan = await scanBehindTls(api, documentOf(name));
  }, 120_000);
  afterAll(() => api?.[Symbol.asyncDispose]());

  test("the findings of medium severity or above are exactly the verified ones", () => {
    expect(findingsFrom(scan, "medium")).toEqual(expected(VERIFIED[name]));
  });

  test("missing HSTS is reported as low", () => {
    expect(findingsFrom(scan, "low")).toContain("low encryption/hsts GET /");
  });
});

test("the objects of an open storage have not changed after a scan that knows how to write and delete them", async () => {
  await using api = await startApi(SMALL_SERVERS.s3rver);
  const state = async (): Promise<string[]> =>
    Promise.all(
      ["/", "/town", "/town/hours.txt"].map(async (path) => (await fetch(api.address + path)).text()),
    );
  const before = await state();
  expect(before.at(-1)).toBe("Open from nine to five");
  await scanBehindTls(api, documentOf("s3rver"));
  expect(await state()).toEqual(before);
});

test("a scan of a database whose one address returns the same for every path fails, instead of a grade", async () => {
  await using api = await startApi(SMALL_SERVERS.dynalite);
  await expect(scanBehindTls(api, documentOf("dynalite"))).rejects.toThrow(
    "Every URL returns the same response",
  );
});
