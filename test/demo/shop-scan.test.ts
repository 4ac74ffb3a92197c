import { identitiesSchema, type Report } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import {
  changesBetween,
  createDemoCertificates,
  SHOP_WEAKNESSES,
  shopIdentities,
  startDemo,
  type Kind,
  type Demo,
  type StateChanges,
} from "@glovebox/demo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runScannerProcess } from "../scanner/scanner-process.ts";
import { shopOrder } from "./shop-order.ts";

/** Kinds of weaknesses that one caller is enough to see. */
const OF_ONE_CALLER: ReadonlySet<Kind> = new Set([
  "sql-injection",
  "server-side-request",
  "stack-trace",
  "reflected-markup",
]);

interface Scanned {
  readonly report: Report;
  readonly changes: StateChanges;
}

async function scanned(demo: Demo, caPem: string, identities?: readonly object[]): Promise<Scanned> {
  const before = demo.shopState();
  const limits = { deadlineSeconds: 300, maxRequests: 10_000 };
  const signedIn = identities && { identities: identitiesSchema.parse(identities) };
  const { outcome } = await runScannerProcess(shopOrder(demo, { limits, extraCa: caPem, ...signedIn }));
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  return { report: outcome.report, changes: changesBetween(before, demo.shopState()) };
}

const locationsOf = ({ findings }: Report): string[] =>
  findings
    .flatMap(instancesOf)
    .filter(({ severity }) => ["critical", "high", "medium"].includes(severity))
    .map(({ category, location: { method, path } }) => `${category} ${method} ${path}`);

const UNCHANGED: StateChanges = { changed: [], deleted: [], created: [] };

describe("the vulnerable shop", () => {
  let demo: Demo;
  let caPem: string;
  beforeAll(async () => {
    const tls = await createDemoCertificates();
    caPem = tls.caPem;
    // Tokens expire during the scan.
    demo = await startDemo({
      variant: "vulnerable",
      port: 0,
      tls,
      only: "shop",
      accessSeconds: 10,
      requestsPerSecond: 10_000,
    });
  });
  afterAll(() => demo?.close());

  test("shows no weakness to a scan without identities, whose score is capped", async () => {
    const { report, changes } = await scanned(demo, caPem);
    // Its rate limit is above what the scan sends.
    const found = locationsOf(report).filter((location) => !location.startsWith("rateLimiting"));
    expect(found).toEqual([]);
    expect(report.score).toBeLessThan(80);
    expect(changes).toEqual(UNCHANGED);
  }, 300_000);

  test("shows a scan as its users the weaknesses that one caller can see, and keeps its rows", async () => {
    const { report, changes } = await scanned(demo, caPem, shopIdentities());
    const expected = SHOP_WEAKNESSES.filter(({ kind }) => OF_ONE_CALLER.has(kind)).map(
      ({ category, method, path }) => `${category} ${method} /shop${path}`,
    );
    expect(locationsOf(report)).toEqual(expect.arrayContaining(expected));
    expect(changes).toEqual(UNCHANGED);
  }, 300_000);
});
