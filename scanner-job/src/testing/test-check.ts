import type { RequestListener } from "node:http";
import type { TlsOptions } from "node:tls";
import {
  DEFAULT_LIMITS,
  identitiesSchema,
  type CheckSummary,
  type Expectation,
  type Finding,
  type IdentityInput,
  type Report,
  type ScanContext,
  type ScanMode,
} from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { describe, expect, it } from "vitest";
import type { Check } from "../engine/check.ts";
import { examineTarget } from "../scan.ts";
import { serve } from "./serve.ts";
import { isShownAt } from "./shown-at.ts";
import { tcpReach } from "../isolation/tcp-reach.ts";

/** One target that the check meets, served for real on loopback. */
export interface CheckCase {
  /** Ends in what the check makes of it. */
  readonly name: string;
  readonly target: RequestListener;
  /** The OpenAPI document of the order; without it the operations are discovered. */
  readonly document?: object;
  /** Path that is submitted; `/` unless given. */
  readonly path?: string;
  readonly tls?: TlsOptions;
  /** What responds to requests without TLS on the same port. */
  readonly plain?: RequestListener;
  readonly extraCa?: string;
  readonly identities?: readonly IdentityInput[];
  readonly expectations?: readonly Expectation[];
  readonly context?: ScanContext;
  /** Default: `safe`. */
  readonly mode?: ScanMode;
  /** The clock of the scan, in milliseconds; the machine's unless given. */
  readonly now?: () => number;
}

export interface PositiveCase extends CheckCase {
  /** What the first finding must also contain. */
  readonly finding?: Partial<Finding>;
  /** At how many locations it must be seen. Default: at least one. */
  readonly count?: number;
}

export interface CheckCases {
  readonly positive: readonly [PositiveCase, ...PositiveCase[]];
  readonly negative: readonly [CheckCase, ...CheckCase[]];
  readonly inconclusive: readonly [CheckCase, ...CheckCase[]];
}

/** Runs one check, through the whole engine, against real servers. Asks for all three outcomes. */
export function testCheck(check: Check, cases: CheckCases): void {
  describe(check.id, () => {
    it.each(cases.positive)("reports $name", async (each) => {
      const { report, summary } = await runAgainst(check, each);
      const [finding] = report.findings;
      const locations = report.findings.flatMap(instancesOf);
      expect(locations.length, JSON.stringify(summary)).toBeGreaterThan(0);
      if (each.count !== undefined) expect(locations).toHaveLength(each.count);
      for (const location of locations) expectProof(check, { ...location, entry: each.path });
      if (each.finding) expect({ ...finding, ...locations[0] }).toMatchObject(each.finding);
    });

    it.each(cases.negative)("reports nothing for $name", async (each) => {
      const { report, summary } = await runAgainst(check, each);
      expect(report.findings).toEqual([]);
      expect(summary.passed, JSON.stringify(summary)).toBeGreaterThan(0);
    });

    it.each(cases.inconclusive)("is inconclusive for $name", async (each) => {
      const { report, summary } = await runAgainst(check, each);
      expect(report.findings).toEqual([]);
      expect(summary, JSON.stringify(summary)).toMatchObject({ passed: 0, failed: 0 });
      expect(summary.reasons).not.toEqual([]);
    });
  });
}

function expectProof(
  check: Check,
  { evidence, location, entry }: Pick<Finding, "evidence" | "location"> & { entry: string | undefined },
): void {
  expect(isShownAt({ check: check.id, location, evidence }, entry), "its evidence is at its location").toBe(
    true,
  );
  if (evidence.pointer !== undefined) {
    expect(evidence).toEqual({
      rule: check.rule,
      exchanges: [],
      curl: "",
      pointer: expect.stringMatching(/^\//),
    });
    return;
  }
  const roles = new Set(evidence.exchanges.map(({ role }) => role));
  expect(evidence).toMatchObject({ rule: check.rule, curl: expect.stringContaining("curl") });
  expect(evidence.exchanges.length, "seen twice").toBeGreaterThan(1);
  const isObserved = "observe" in check && [...roles].every((role) => role === "baseline");
  if (check.kind !== "passive" && !isObserved)
    expect([...roles]).toEqual(expect.arrayContaining(["control", "attack", "repeat"]));
}

async function runAgainst(check: Check, each: CheckCase): Promise<{ report: Report; summary: CheckSummary }> {
  const report = await scanWith([check], each);
  return { report, summary: report.checks[0]! };
}

/** Runs these checks through the whole engine against the target of the case. */
export async function scanWith(checks: readonly Check[], each: CheckCase): Promise<Report> {
  await using server = await serve(each.target, each.tls, each.plain);
  const faults: unknown[] = [];
  const { report, failure } = await examineTarget(
    {
      scanId: "test",
      url: server.url + (each.path ?? "/"),
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: DEFAULT_LIMITS,
      ...(each.document ? { spec: { from: "text", text: JSON.stringify(each.document) } } : {}),
      ...(each.context ? { context: each.context } : {}),
      ...(each.mode && { mode: each.mode }),
      ...(each.extraCa ? { extraCa: each.extraCa } : {}),
      ...(each.expectations && { expectations: [...each.expectations] }),
      ...(each.identities && { identities: identitiesSchema.parse(each.identities) }),
    },
    {
      checks,
      onProgress: () => {},
      onFault: (_, error) => faults.push(error),
      reach: tcpReach,
      families: () => new Set(),
      now: each.now ?? (() => performance.now()),
      wait: () => Promise.resolve(), // an outage of a test's target does not end by waiting
      today: () => new Date(),
    },
    new AbortController().signal,
  );
  expect(faults).toEqual([]);
  // One check alone may decide nothing beyond the host: its summary counts here.
  if (!report) throw new Error(`The scan failed: ${failure?.message}`);
  return report;
}
