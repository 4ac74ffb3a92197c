import type { Report, ScanOrder } from "@glovebox/contract";
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
import { shopOrder } from "./shop-order.ts";

let tls: DemoCertificates;
beforeAll(async () => {
  tls = await createDemoCertificates();
});

/** An active scan of a shop of its own, without identities. */
async function scanned(
  variant: Variant,
  only?: ScanOrder["only"],
): Promise<{ report: Report; changes: StateChanges }> {
  const options = { port: 0, tls, only: "shop", accessSeconds: 10, requestsPerSecond: 10_000 } as const;
  const demo = await startDemo({ variant, ...options });
  const before = demo.shopState();
  const limits = { deadlineSeconds: 300, maxRequests: 10_000 };
  const { outcome } = await runScannerProcess(
    shopOrder(demo, { mode: "active", limits, extraCa: tls.caPem, ...(only && { only }) }),
  );
  const changes = changesBetween(before, demo.shopState());
  await demo.close();
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  return { report: outcome.report, changes };
}

const ACTIVE_CHECKS =
  /object-(change|deletion)$|mass-assignment(-at-registration)?$|(stored-markup|negative-quantity|single-use(-race)?|skipped-step|password-change|code-throttling)$/;

const provedByWrites = ({ findings }: Report) =>
  findings.flatMap(instancesOf).filter(({ check }) => ACTIVE_CHECKS.test(check));

const writesIn = (report: Report): string[] =>
  provedByWrites(report)
    .map(({ location: { method, path } }) => `${method} ${path}`)
    .toSorted();

function expectNothingLeft({ journal = [] }: Report, changes: StateChanges): void {
  expect(changes).toEqual({ changed: [], deleted: [], created: [] });
  expect(journal.length).toBeGreaterThan(20);
  expect(journal.filter(({ cleaned }) => !cleaned)).toEqual([]);
}

describe.concurrent("an active scan without identities", () => {
  test("finds what users of the vulnerable shop can do to others, and leaves nothing", async () => {
    const { report, changes } = await scanned("vulnerable");
    expect(writesIn(report)).toEqual([
      "DELETE /shop/v2/notes/{noteId}",
      "PATCH /shop/v2/me",
      "PATCH /shop/v2/orders/{orderId}",
      "POST /shop/v2/gift-cards/{giftCardId}/claim",
      "POST /shop/v2/me/phone/verify",
      "POST /shop/v2/notes",
      "POST /shop/v2/orders/{orderId}/ship",
      "POST /shop/v2/registrations",
      "POST /shop/v2/reservations",
      "POST /shop/v2/vouchers/{voucherId}/redeem",
      "PUT /shop/v2/me/password",
    ]);
    expectNothingLeft(report, changes);

    // As `glovebox verify` does: with new users and new objects.
    const only = provedByWrites(report).map(({ check, location }) => ({ check, location }));
    const again = await scanned("vulnerable", only);
    expect(writesIn(again.report)).toEqual(writesIn(report));
    expectNothingLeft(again.report, again.changes);
    const fixed = await scanned("hardened", only);
    expect(writesIn(fixed.report)).toEqual([]);
    expect(fixed.report.checks.map(({ check, passed }) => [check, passed])).toEqual(
      fixed.report.checks.map(({ check }) => [check, 1]),
    );
    expectNothingLeft(fixed.report, fixed.changes);
  }, 420_000);

  test("finds nothing of it in the hardened shop, and leaves nothing there either", async () => {
    const { report, changes } = await scanned("hardened");
    expect(writesIn(report)).toEqual([]);
    expectNothingLeft(report, changes);
  }, 300_000);
});
