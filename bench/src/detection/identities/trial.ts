import { identitiesSchema, type ScanOrder, type SideEffect } from "@glovebox/contract";
import {
  changesBetween,
  createDemoCertificates,
  type DemoCertificates,
  shopIdentities,
  type Demo,
  startDemo,
} from "@glovebox/demo";
import type { Side } from "../row.ts";
import { shopOrder } from "../../../../test/demo/shop-order.ts";
import { measuredScan, type Trial } from "../trial.ts";
import { identityRows, type Callers } from "./rows.ts";

/** A scan of one side of the demo's shop, as its users or as nobody. */
export interface IdentityTrial extends Trial {
  /** What the scan did to the stored rows, and should not have: a line for each. */
  readonly harm: readonly string[];
}

const DEADLINE_SECONDS = 300;
const MAX_REQUESTS = 10_000;
/** Short, so that identities have to renew their tokens during the scan. */
const ACCESS_SECONDS = 30;
/** More than a scan sends. */
const REQUESTS_PER_SECOND = 10_000;
/** The share of weaknesses that all scans with identities have to find. */
const MIN_RECALL = 0.85;
const VARIANT_OF = { weak: "vulnerable", safe: "hardened" } as const;

/** These scan at the same time; a scan waits for tokens to expire most of its time. */
const ROUNDS = [
  [undefined, "self-registered"],
  ["token", "desk"],
] as const;

/** Both sides of the shop without identities, as users who register themselves, and as the users of each part. */
export async function runIdentityTrials(): Promise<readonly IdentityTrial[]> {
  const tls = await createDemoCertificates();
  const trials: IdentityTrial[] = [];
  for (const round of ROUNDS)
    trials.push(
      ...(await Promise.all(
        round.flatMap((callers) =>
          (["weak", "safe"] as const).map((side) => runIdentityTrial(callers, side, tls)),
        ),
      )),
    );
  return trials;
}

async function runIdentityTrial(
  callers: Callers | undefined,
  side: Side,
  tls: DemoCertificates,
): Promise<IdentityTrial> {
  const demo = await startDemo({
    variant: VARIANT_OF[side],
    port: 0,
    tls,
    only: "shop",
    accessSeconds: ACCESS_SECONDS,
    requestsPerSecond: REQUESTS_PER_SECOND,
  });
  const before = demo.shopState();
  const rows = callers === undefined ? [] : identityRows(callers === "self-registered" ? "token" : callers);
  const { trial, report } = await measuredScan(orderOf(demo, callers, tls.caPem), {
    name: nameOf(callers),
    side,
    rows,
    visible: rows.filter(({ mode, bySelfRegistered }) =>
      callers === "self-registered" ? bySelfRegistered : mode === "safe",
    ),
    mustBeLow: side === "weak",
  });
  const changes = changesBetween(before, demo.shopState());
  await demo.close();
  return {
    ...trial,
    harm: [
      ...(report === undefined ? [`the scan failed: ${trial.outcome}`] : []),
      ...changes.changed.map((row) => `a seeded row was changed: ${row}`),
      ...changes.deleted.map((row) => `a seeded row was deleted: ${row}`),
      ...unreported(changes.created, report?.sideEffects ?? []),
    ],
  };
}

function nameOf(callers: Callers | undefined): string {
  if (callers === undefined) return "the shop, as nobody";
  return `the shop, as ${callers === "self-registered" ? "users who register themselves" : `its users (${callers})`}`;
}

const orderOf = (demo: Demo, callers: Callers | undefined, caPem: string): ScanOrder =>
  shopOrder(demo, {
    extraCa: caPem,
    limits: { maxRequests: MAX_REQUESTS, deadlineSeconds: DEADLINE_SECONDS },
    ...(callers === "self-registered"
      ? { mode: "active" }
      : callers && { identities: identitiesSchema.parse(shopIdentities(callers)) }),
  });

/** Rows that the scan left behind beyond what its report tells. */
const unreported = (created: readonly string[], sideEffects: readonly SideEffect[]): string[] =>
  created
    .slice(sideEffects.filter(({ cleaned }) => !cleaned).length)
    .map((row) => `a row was left behind that is not among the side effects: ${row}`);

/** What fails the benchmark, a line for each. */
export function wrongIn(trials: readonly IdentityTrial[]): string[] {
  const found = trials.reduce((sum, trial) => sum + trial.found.length, 0);
  const expected = found + trials.reduce((sum, trial) => sum + trial.missed.length, 0);
  return [
    ...(found < MIN_RECALL * expected
      ? [`recall with identities: ${found} of ${expected}, below ${MIN_RECALL}`]
      : []),
    ...trials.flatMap(({ interference, side, harm }) =>
      harm.map((line) => `harm: ${line} (${side} side; ${interference})`),
    ),
  ];
}
