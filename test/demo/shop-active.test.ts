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

const ACTIVE_CHECKS =
  /object-(change|deletion)$|mass-assignment(-at-registration)?$|(stored-markup|negative-quantity|single-use(-race)?|skipped-step|password-change)$/;

const writesIn = ({ findings }: Report): string[] =>
  findings
    .flatMap(instancesOf)
    .filter(({ check }) => ACTIVE_CHECKS.test(check))
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
      "POST /shop/v2/notes",
      "POST /shop/v2/orders/{orderId}/ship",
      "POST /shop/v2/registrations",
      "POST /shop/v2/reservations",
      "POST /shop/v2/vouchers/{voucherId}/redeem",
      "PUT /shop/v2/me/password",
    ]);
    expectNothingLeft(report, changes);
  }, 300_000);

  test("finds nothing of it in the hardened shop, and leaves nothing there either", async () => {
    const { report, changes } = await scanned("hardened");
    expect(writesIn(report)).toEqual([]);
    expectNothingLeft(report, changes);
  }, 300_000);
});
