import { randomBytes } from "node:crypto";
import {
  CATEGORY_KEYS,
  type Plan,
  type Report,
  categoriesSchema,
  newScanId,
  scanFailure,
} from "@glovebox/contract";
import { type DeliveredOutcome, delivered } from "@glovebox/scan-run";
import { COMMAND_LINE, type Account, type Store, type Submission, type SubmitResult } from "../index.ts";

/** Fixtures for the tests of the store. */
export const NOON = new Date("2026-11-21T12:00:00Z");

/** That many seconds after NOON. */
export const after = (seconds: number): Date => new Date(NOON.getTime() + seconds * 1000);

/** What the stores of a test take for the moment, by `openStoreAt(options, () => clock.at)`. */
export const clock = { at: NOON };

export const newAccount = (store: Store, plan: Plan = "enterprise"): Promise<Account> =>
  store.accounts.declare({ name: `account-${randomBytes(6).toString("hex")}`, plan });

/** What a test submits: the moment sets the clock. */
type Submitted = Partial<Submission> & { readonly now?: Date };

/** Submits a scan. */
export function submit(
  store: Store,
  account: Account,
  { now = clock.at, ...over }: Submitted = {},
): Promise<SubmitResult> {
  clock.at = now;
  const url = "https://api.example/v1";
  return store.scans.submit({ id: newScanId(now), account, url, actor: COMMAND_LINE, ...over });
}

/** Submits, and gives the id of the scan that was created. */
export async function created(store: Store, account: Account, over: Submitted = {}): Promise<string> {
  const result = await submit(store, account, over);
  if (result.outcome !== "created") throw new Error(`The scan was not created: ${result.outcome}.`);
  return result.scan.id;
}

export const crashed: DeliveredOutcome = { status: "failed", failure: scanFailure("scanner_crashed") };
export const connectionRefused: DeliveredOutcome = {
  status: "failed",
  failure: scanFailure("connection_refused"),
};
export const completed = (note = "nothing"): DeliveredOutcome =>
  delivered({ status: "completed", report: reportWith(note) });

/** A report without findings. */
export function reportWith(note: string): Report {
  const clean = { score: 100, findings: [] };
  return {
    score: 93,
    grade: "A",
    categories: categoriesSchema.parse(Object.fromEntries(CATEGORY_KEYS.map((key) => [key, clean]))),
    findings: [],
    coverage: { categories: 1, operations: 1 },
    scoring: { weights: {}, weightedMean: 93, deductions: [], cap: null },
    checks: [],
    notes: [note],
    statistics: { requests: 1, operations: 1, durationMs: 1 },
  };
}
