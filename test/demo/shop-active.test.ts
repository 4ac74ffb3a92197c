import type { Report } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import {
  changesBetween,
  createDemoCertificates,
  type DemoCertificates,
  type StateChanges,
  startDemo,
  type Variant,
} from "@glovebox/demo";
import { beforeAll, describe, expect, test } from "vitest";
import { runScannerProcess } from "../scanner/scanner-process.ts";

let tls: DemoCertificates;
beforeAll(async () => {
  tls = await createDemoCertificates();
});

/** An active scan of a shop of its own, without identities. */
async function scanned(variant: Variant): Promise<{ report: Report; changes: StateChanges }> {
  const options = { port: 0, tls, only: "shop", accessSeconds: 10, requestsPerSecond: 10_000 } as const;
  const demo = await startDemo({ variant, ...options });
  const before = demo.shopState();
  const { outcome } = await runScannerProcess({
    scanId: "shop",
    url: `${demo.shopUrl}/`,
    mode: "active",
    spec: { from: "url", url: `${demo.shopUrl}/openapi.json` },
    pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [Number(new URL(demo.url).port)] }],
    extraCa: tls.caPem,
    limits: { deadlineSeconds: 300, maxRequests: 10_000 },
  });
  const changes = changesBetween(before, demo.shopState());
  await demo.close();
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  return { report: outcome.report, changes };
}

const writesIn = ({ findings }: Report): string[] =>
  findings
    .flatMap(instancesOf)
    .filter(({ check }) => /object-(change|deletion)$|mass-assignment$/.test(check))
    .map(({ location: { method, path } }) => `${method} ${path}`)
    .toSorted();

/** The shop has no operation that deletes an account. */
function expectNothingLeftButAccounts({ journal = [] }: Report, { created, ...changes }: StateChanges): void {
  expect(changes).toEqual({ changed: [], deleted: [] });
  expect(created.map((row) => row.split(" ")[0])).toEqual(["users", "users"]);
  const left = journal.filter(({ cleaned }) => !cleaned);
  expect(new Set(left.map(({ reason }) => reason?.replace(/glovebox\w+/, "NAME")))).toEqual(
    new Set(["The API has no operation that deletes the account NAME."]),
  );
}

describe.concurrent("an active scan without identities", () => {
  test("finds what users of the vulnerable shop can do to others, and leaves only their accounts", async () => {
    const { report, changes } = await scanned("vulnerable");
    expect(writesIn(report)).toEqual([
      "DELETE /shop/v2/notes/{noteId}",
      "PATCH /shop/v2/me",
      "PATCH /shop/v2/orders/{orderId}",
    ]);
    expectNothingLeftButAccounts(report, changes);
  }, 300_000);

  test("finds nothing of it in the hardened shop, and leaves only accounts there too", async () => {
    const { report, changes } = await scanned("hardened");
    expect(writesIn(report)).toEqual([]);
    expectNothingLeftButAccounts(report, changes);
  }, 300_000);
});
