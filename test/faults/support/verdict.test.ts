import { API_NAME, LABELS, type ScanResource } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { judge, type Evidence } from "./verdict.ts";

const ID = "scan-00000000000000000000000001";
const at = (second: number): Date => new Date(Date.UTC(2026, 10, 21, 12, 0, second));

// oxlint-disable-next-line max-params -- reads like a row of a table
const scan = (id: string, phase: "Completed" | "Failed", attempt = 1, canaryLosses?: number): ScanResource =>
  ({
    metadata: {
      ...{ name: id, namespace: "scans", uid: id, creationTimestamp: at(0).toISOString() },
      labels: { [LABELS.managedBy]: API_NAME },
    },
    spec: { url: "https://api.shop.example/" },
    status: { phase, attempt, ...(canaryLosses && { canaryLosses }), finishedAt: at(9).toISOString() },
  }) as unknown as ScanResource;

/** One scan that completed in the first attempt, with everything as it should be. */
const sound: Evidence = {
  asked: 1,
  answered: [ID],
  applied: [],
  oddAnswers: [],
  ledger: {
    scans: [{ id: ID, account: "posting", status: "completed", failure: null }],
    charged: [{ account: "posting", started: 1 }],
    history: [
      { scan: ID, what: "submitted", at: at(0) },
      { scan: ID, what: "completed", at: at(7) },
      { scan: ID, what: "report", at: at(7) },
    ],
  },
  scans: [scan(ID, "Completed")],
  destroyed: new Map(),
  canariesDied: false,
  leftBehind: [],
  leaders: ["one"],
  holder: "one",
  endedByItself: [],
};

/** The same, and the scan failed because its report was lost. */
const lost: Evidence = {
  ...sound,
  ledger: {
    scans: [{ id: ID, account: "posting", status: "failed", failure: "result_lost" }],
    charged: [{ account: "posting", started: 0 }],
    history: [
      { scan: ID, what: "submitted", at: at(0) },
      { scan: ID, what: "failed", at: at(7) },
    ],
  },
  scans: [scan(ID, "Failed", 3)],
  destroyed: new Map([[ID, 3]]),
};

const withLedger = (change: Partial<Evidence["ledger"]>): Evidence => ({
  ...sound,
  ledger: { ...sound.ledger, ...change },
});
const twice = (what: string) => ({ history: [...sound.ledger.history, { scan: ID, what, at: at(8) }] });

describe("the verdict on what faults left behind", () => {
  test("finds nothing broken where every scan ended once", () => {
    expect(judge(sound)).toEqual({
      ...{ scans: 1, completed: 1, failed: {}, retried: 0, lost: 0, twice: 0, leftBehind: 0 },
      stillSeconds: 7,
      broken: [],
    });
  });

  test("takes a lost report for fair when every attempt lost its pod on purpose, and the charge was given back", () => {
    expect(judge(lost)).toMatchObject({ failed: { result_lost: 1 }, retried: 2, lost: 0, broken: [] });
  });

  const besideLostCanary = { ...sound, scans: [scan(ID, "Completed", 3, 2)] };
  test("takes attempts whose canary was lost for fair where canaries died, and nowhere else", () => {
    expect(judge({ ...besideLostCanary, canariesDied: true })).toMatchObject({ retried: 2, broken: [] });
    expect(judge(besideLostCanary).broken).toEqual([`${ID} came to attempt 3 for no reason`]);
  });

  const processing = [{ ...sound.ledger.scans[0]!, status: "processing" }];
  test.each<[string, Evidence, string]>([
    [
      "an answered scan without a row",
      { ...sound, answered: [ID, "scan-2"] },
      "scan-2 was answered and has no row",
    ],
    ["an applied Scan that is gone", { ...sound, applied: ["mine"] }, "mine was applied and is gone"],
    ["a row too few", { ...sound, asked: 2 }, "2 scans were asked for, and 1 are on record"],
    ["a row too many", { ...sound, asked: 0 }, "1 more scans are on record than were asked for"],
    ["a row without its resource", { ...sound, scans: [] }, `${ID} has no Scan resource`],
    ["a scan that goes on for ever", withLedger({ scans: processing }), `${ID} has not ended`],
    ["two rows", withLedger(twice("submitted")), `${ID} was written down twice`],
    ["two ends", withLedger(twice("failed")), `${ID} was ended twice`],
    ["two reports", withLedger(twice("report")), `${ID} has too many reports`],
    [
      "an end without a report",
      withLedger({ history: sound.ledger.history.slice(0, 2) }),
      `${ID} completed without a report`,
    ],
    [
      "a resource that says something else",
      { ...sound, scans: [scan(ID, "Failed")] },
      `${ID} is completed and its Scan Failed`,
    ],
    ["a pod left behind", { ...sound, leftBehind: ["scan-1-1"] }, "scan-1-1 was left behind"],
    [
      "a failure that no fault explains",
      { ...lost, destroyed: new Map([[ID, 2]]) },
      `${ID} failed: result_lost, after 2 lost pods`,
    ],
    [
      "an attempt for no reason",
      { ...sound, scans: [scan(ID, "Completed", 2)] },
      `${ID} came to attempt 2 for no reason`,
    ],
    [
      "a charge that was not given back",
      { ...lost, ledger: { ...lost.ledger, charged: sound.ledger.charged } },
      "posting was charged 1 scans instead of 0",
    ],
    [
      "two leaders",
      { ...sound, leaders: ["one", "two"] },
      "the lead is held by one and two, and the Lease by one",
    ],
    ["no leader", { ...sound, leaders: [] }, "the lead is held by nobody, and the Lease by one"],
    ["a process that ended", { ...sound, endedByItself: ["the API (1)"] }, "the API (1) ended by itself"],
    ["an odd answer", { ...sound, oddAnswers: ["500 {}"] }, "a POST was answered 500 {}"],
  ])("names %s", (_what, evidence, sentence) => {
    expect(judge(evidence).broken).toContain(sentence);
  });
});
