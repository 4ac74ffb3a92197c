import { API_NAME, LABELS, type ScanResource } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { checkGuarantees, type FinalState } from "./guarantees.ts";

const ID = "scan-00000000000000000000000001";
const at = (second: number): Date => new Date(Date.UTC(2026, 10, 21, 12, 0, second));

const scan = (
  phase: "Completed" | "Failed",
  { attempt = 1, canaryLosses }: { attempt?: number; canaryLosses?: number } = {},
): ScanResource =>
  ({
    metadata: {
      ...{ name: ID, namespace: "scans", uid: ID, creationTimestamp: at(0).toISOString() },
      labels: { [LABELS.managedBy]: API_NAME },
    },
    spec: { url: "https://api.shop.example/" },
    status: { phase, attempt, ...(canaryLosses && { canaryLosses }), finishedAt: at(9).toISOString() },
  }) as unknown as ScanResource;

/** One scan that completed in the first attempt, without violations. */
const valid: FinalState = {
  submitted: 1,
  acceptedIds: [ID],
  applied: [],
  unexpectedResponses: [],
  ledger: {
    scans: [{ id: ID, account: "posting", status: "completed", failure: null }],
    charged: [{ account: "posting", started: 1 }],
    history: [
      { scan: ID, what: "submitted", at: at(0) },
      { scan: ID, what: "completed", at: at(7) },
      { scan: ID, what: "report", at: at(7) },
    ],
  },
  scans: [scan("Completed")],
  deletions: new Map(),
  canariesKilled: false,
  leftBehind: [],
  leaders: ["one"],
  holder: "one",
  unexpectedExits: [],
};

/** The same scan, failed because its pod was deleted in every attempt. */
const lost: FinalState = {
  ...valid,
  ledger: {
    scans: [{ id: ID, account: "posting", status: "failed", failure: "result_lost" }],
    charged: [{ account: "posting", started: 0 }],
    history: [
      { scan: ID, what: "submitted", at: at(0) },
      { scan: ID, what: "failed", at: at(7) },
    ],
  },
  scans: [scan("Failed", { attempt: 3 })],
  deletions: new Map([[ID, 3]]),
};

const withLedger = (change: Partial<FinalState["ledger"]>): FinalState => ({
  ...valid,
  ledger: { ...valid.ledger, ...change },
});
const twice = (what: string) => ({ history: [...valid.ledger.history, { scan: ID, what, at: at(8) }] });

describe("the check of the guarantees", () => {
  test("finds no violation if every scan ended once", () => {
    expect(checkGuarantees(valid)).toEqual({
      ...{ scans: 1, completed: 1, failed: {}, retried: 0, lost: 0, twice: 0, leftBehind: 0 },
      longestPauseSeconds: 7,
      violations: [],
    });
  });

  test("accepts a failed scan if its pod was deleted in every attempt and the charge was refunded", () => {
    expect(checkGuarantees(lost)).toMatchObject({
      failed: { result_lost: 1 },
      retried: 2,
      lost: 0,
      violations: [],
    });
  });

  const withCanaryLosses = { ...valid, scans: [scan("Completed", { attempt: 3, canaryLosses: 2 })] };
  test("accepts attempts with a lost canary only if canaries were killed", () => {
    expect(checkGuarantees({ ...withCanaryLosses, canariesKilled: true })).toMatchObject({
      retried: 2,
      violations: [],
    });
    expect(checkGuarantees(withCanaryLosses).violations).toEqual([
      `${ID} reached attempt 3 without a reason`,
    ]);
  });

  const processing = [{ ...valid.ledger.scans[0]!, status: "processing" }];
  test.each<[string, FinalState, string]>([
    [
      "an accepted scan without a row",
      { ...valid, acceptedIds: [ID, "scan-2"] },
      "scan-2 was accepted and has no row",
    ],
    [
      "an applied Scan that does not exist",
      { ...valid, applied: ["mine"] },
      "mine was applied and does not exist",
    ],
    ["a missing row", { ...valid, submitted: 2 }, "2 scans were submitted, and 1 have rows"],
    ["an additional row", { ...valid, submitted: 0 }, "1 more scans have rows than were submitted"],
    ["a row without its resource", { ...valid, scans: [] }, `${ID} has no Scan resource`],
    ["a scan that has not ended", withLedger({ scans: processing }), `${ID} has not ended`],
    ["two rows", withLedger(twice("submitted")), `${ID} was inserted twice`],
    ["two ends", withLedger(twice("failed")), `${ID} was ended twice`],
    ["two reports", withLedger(twice("report")), `${ID} has too many reports`],
    [
      "an end without a report",
      withLedger({ history: valid.ledger.history.slice(0, 2) }),
      `${ID} completed without a report`,
    ],
    [
      "a resource with another result",
      { ...valid, scans: [scan("Failed")] },
      `${ID} is completed and its Scan is Failed`,
    ],
    ["a pod left behind", { ...valid, leftBehind: ["scan-1-1"] }, "scan-1-1 was left behind"],
    [
      "a failure that no fault explains",
      { ...lost, deletions: new Map([[ID, 2]]) },
      `${ID} failed: result_lost, after 2 deleted pods`,
    ],
    [
      "an attempt without a reason",
      { ...valid, scans: [scan("Completed", { attempt: 2 })] },
      `${ID} reached attempt 2 without a reason`,
    ],
    [
      "a charge that was not refunded",
      { ...lost, ledger: { ...lost.ledger, charged: valid.ledger.charged } },
      "posting was charged 1 scans instead of 0",
    ],
    [
      "two leaders",
      { ...valid, leaders: ["one", "two"] },
      "the leaders are one and two, and the holder of the Lease is one",
    ],
    ["no leader", { ...valid, leaders: [] }, "the leaders are none, and the holder of the Lease is one"],
    [
      "a process that exited",
      { ...valid, unexpectedExits: ["the API (1)"] },
      "the API (1) exited unexpectedly",
    ],
    ["an error response", { ...valid, unexpectedResponses: ["500 {}"] }, "a POST returned 500 {}"],
  ])("reports %s", (_what, state, sentence) => {
    expect(checkGuarantees(state).violations).toContain(sentence);
  });
});
