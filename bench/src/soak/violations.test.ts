import { FORMAT_NAMES } from "@glovebox/report";
import { expect, test } from "vitest";
import { CLIENTS, COMPONENTS, type SoakFacts } from "./facts.ts";
import { violationsOf } from "./violations.ts";

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 24, 12, 0, second));
const row = (id: string, status = "completed", failure: string | null = null) => ({
  ...{ id, account: "pro-1", status, failure },
});
const written = (id: string, end = "completed") => [
  { scan: id, what: "submitted", at: at(0) },
  { scan: id, what: end, at: at(9) },
  ...(end === "completed" ? [{ scan: id, what: "report", at: at(9) }] : []),
];
const asked = (key: string | undefined, ...ids: string[]) => ({
  ...{ account: "pro-1", key, ids, isUncertain: false },
});

/** Scans of one account: `a` with a key and repeated, `b` cancelled, `c` deleted after its end. No violation. */
const valid: SoakFacts = {
  period: { from: +at(0), to: +at(59) },
  outages: COMPONENTS.map((component) => ({ component, from: +at(1), to: +at(2) })),
  exchanges: CLIENTS.map((client) => ({
    ...{ client, what: "GET /v1/scans", service: 0, from: +at(3), to: +at(4), expected: [] },
    response: { status: 200, hasRetryAfter: false, hasLocation: false },
  })),
  streams: [{ scan: "a", service: 0, from: +at(3), to: +at(9), end: "completed", isSilent: false }],
  schedules: [
    {
      ...{ id: "1", account: "pro-1", minute: 15, createdAt: +at(0) - 60_000, suspendedAt: +at(59) },
      runs: [
        {
          ...{
            scheduledAt: at(0).toISOString(),
            decidedAt: at(1).toISOString(),
            outcome: "started",
            missed: 0,
          },
          ...{ code: null, reason: null, scanId: null, scanStatus: null, grade: null },
        },
      ],
    },
  ],
  exports: new Map(FORMAT_NAMES.map((format) => [format, 1])),
  ...{ invalidExports: [], memory: [], unexpectedExits: [], loggedErrors: [] },
  submissions: [asked("key-a", "a", "a"), asked("key-b", "b"), asked("key-c", "c")],
  cancelled: new Set(["b"]),
  deleted: [row("c")],
  ledger: {
    scans: [row("a"), row("b", "failed", "cancelled")],
    charged: [{ account: "pro-1", started: 3 }],
    history: [...written("a"), ...written("b", "failed"), ...written("c")],
  },
  totals: { "pro-1": 2 },
  delivered: { "pro-1": new Set(["a", "b"]) },
};
/** Of a scan that started after `a` and ended before it. */
const overtaking = (id: string) =>
  written(id).map((entry) => ({ ...entry, at: at(entry.at > at(0) ? 20 : 10) }));
const withLedger = (over: Partial<SoakFacts["ledger"]>): Partial<SoakFacts> => ({
  ledger: { ...valid.ledger, ...over },
});

const violated = (over: Partial<SoakFacts>): string[] =>
  Object.entries(violationsOf({ ...valid, ...over })).flatMap(([guarantee, list]) =>
    list.length > 0 ? guarantee : [],
  );

test("a run without violations has none", () => {
  expect(violated({})).toEqual([]);
});

test.each<[string, Partial<SoakFacts>, string[]]>([
  [
    "an accepted scan without a row",
    { submissions: [...valid.submissions, asked("key-d", "d")] },
    ["every accepted scan exists"],
  ],
  [
    "a scan that still runs",
    withLedger({
      scans: [row("a", "processing"), row("b", "failed", "cancelled")],
      history: [written("a")[0]!, ...written("b", "failed"), ...written("c")],
    }),
    ["every scan has ended"],
  ],
  [
    "a row that was inserted twice",
    withLedger({ history: [...valid.ledger.history, { scan: "a", what: "submitted", at: at(1) }] }),
    ["each scan was inserted, ended and reported once"],
  ],
  [
    "a second report of a scan that was deleted later",
    withLedger({ history: [...valid.ledger.history, { scan: "c", what: "report", at: at(10) }] }),
    ["each scan was inserted, ended and reported once"],
  ],
  [
    "a completed scan without a report",
    withLedger({
      history: valid.ledger.history.filter(({ scan, what }) => scan !== "a" || what !== "report"),
    }),
    ["each scan was inserted, ended and reported once"],
  ],
  [
    "a scan that nobody asked for",
    { submissions: valid.submissions.filter(({ key }) => key !== "key-a") },
    ["no scan without its submission"],
  ],
  [
    "a key that started two scans",
    { submissions: [asked("key-a", "a", "b"), asked("key-c", "c")] },
    ["one scan for each Idempotency-Key"],
  ],
  [
    "a scan that was returned to two clients",
    { submissions: [...valid.submissions, asked("key-d", "a")] },
    ["one scan for each Idempotency-Key"],
  ],
  [
    "an account that was charged twice for a scan",
    withLedger({ charged: [{ account: "pro-1", started: 4 }] }),
    ["each account is charged for its scans"],
  ],
  [
    "an account that was not charged for a scan deleted later",
    withLedger({ charged: [{ account: "pro-1", started: 2 }] }),
    ["each account is charged for its scans"],
  ],
  ["a list that lacks a scan", { totals: { "pro-1": 1 } }, ["each account lists all its scans"]],
  ["a cancelled scan that nobody cancelled", { cancelled: new Set() }, ["no scan failed"]],
  [
    "a scan that failed",
    withLedger({
      scans: [row("a", "failed", "target_blocked"), row("b", "failed", "cancelled")],
      history: [...written("a", "failed"), ...written("b", "failed"), ...written("c")],
    }),
    ["no scan failed"],
  ],
  [
    "a scan that 41 later ones overtook",
    withLedger({
      history: valid.ledger.history
        .map((entry) => (entry.scan === "a" && entry.what !== "submitted" ? { ...entry, at: at(50) } : entry))
        .concat(Array.from({ length: 41 }, (_, n) => overtaking(`later-${n}`)).flat()),
    }),
    ["no scan is blocked"],
  ],
  ["a kind of client that did nothing", { exchanges: valid.exchanges.slice(1) }, ["nothing was left out"]],
  ["a format that was not exported", { exports: new Map() }, ["nothing was left out"]],
  ["a component without an outage", { outages: valid.outages.slice(1) }, ["nothing was left out"]],
  ["no event stream", { streams: [] }, ["nothing was left out"]],
  ["no schedule", { schedules: [] }, ["nothing was left out"]],
  ["no webhook", { delivered: {} }, ["nothing was left out"]],
  [
    "a webhook that was not told of an end",
    { delivered: { "pro-1": new Set(["a"]) } },
    ["each webhook received each end"],
  ],
  ["an invalid export", { invalidExports: ["csv of a: not CSV"] }, ["every export is valid"]],
  ["a process that exited", { unexpectedExits: ["service 0 exited with 1"] }, ["no process exits by itself"]],
  [
    "an error in a log",
    { loggedErrors: ["service 0: unexpected failure"] },
    ["no unexpected error in the logs"],
  ],
  [
    "a process that grows",
    {
      period: { from: 0, to: 1_800_000 },
      memory: [
        {
          process: "service 0",
          samples: Array.from({ length: 361 }, (_, index) => ({ at: index * 5_000, mib: 100 + index / 12 })),
        },
      ],
    },
    ["memory is flat in the last third"],
  ],
])("%s is reported, and nothing else", (_name, over, guarantees) => {
  expect(violated(over)).toEqual(guarantees);
});

test("a request without a key whose end is not known explains one scan, and not two", () => {
  const uncertain = { account: "pro-1", key: undefined, ids: [], isUncertain: true };
  const [first, ...others] = valid.submissions;
  expect(violated({ submissions: [uncertain, ...others] })).toEqual([]);
  expect(first!.ids).toContain("a");
  expect(violated({ submissions: [uncertain, others[1]!] })).toEqual(["no scan without its submission"]);
});
