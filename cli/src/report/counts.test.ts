import { SEVERITIES, type Finding, type Instance, type Severity } from "@glovebox/contract";
import { gravityOf, instancesOf } from "@glovebox/domain";
import { found } from "@glovebox/domain/testing";
import { exportScan, type Format } from "@glovebox/report";
import fc from "fast-check";
import { expect, test } from "vitest";
import { judge } from "../scan/options.ts";
import { acceptedOf } from "./suppressions.ts";
import { renderTable } from "./table.ts";
import { scanWith } from "./testing.ts";

const seen = fc.record({
  severity: fc.constantFrom(...SEVERITIES),
  // Findings of the first are folded in the table where they are low.
  check: fc.constantFrom("encryption/hsts", "data-exposure/cors"),
});

/** A finding with one to three instances, each of which may be in the baseline or suppressed. */
const finding = fc.array(seen, { minLength: 1, maxLength: 3 }).map((all) => {
  const parts = all.map(({ severity, check }) =>
    found(`${severity} confirmed`, { check, location: { method: "GET", path: `/${newId()}` } }),
  );
  const instances = parts.flatMap(instancesOf);
  const id = newId();
  if (instances.length === 1) return { ...parts[0]!, id };
  const several = instances as [Instance, ...Instance[]];
  return { ...parts[0]!, id, instances: several, ...gravityOf(several) };
});

let serial = 0;
const newId = (): string => `${(serial += 1)}`.padStart(16, "0");

const now = new Date("2027-01-01T00:00:00Z");

/** Of each severity how many findings are open, as each format says it. */
type Counts = Partial<Record<Severity, number>>;

const countsIn = (severities: readonly Severity[]): Counts =>
  Object.fromEntries([...Map.groupBy(severities, (each) => each)].map(([key, all]) => [key, all.length]));

/** Of lines such as `Findings: 1 high, 2 low, at 3 locations`. */
const countsOfText = (text: string): Counts =>
  Object.fromEntries(
    [...text.matchAll(/(\d+) (critical|high|medium|low|info)\b/g)].map(([, count, severity]) => [
      severity,
      Number(count),
    ]),
  );

const LINE: Readonly<Record<"table" | "markdown", RegExp>> = {
  table: /^(Findings: .*|No findings\.)$/m,
  markdown: /^\*\*Score.*$/m,
};

test("the table, the exit code and every other format count the same open findings and the same open locations", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(finding, { maxLength: 6, selector: ({ id }) => id }),
      fc.infiniteStream(fc.constantFrom("open", "open", "suppressed", "baseline")),
      (findings: Finding[], states) => {
        const all = findings.flatMap(instancesOf).map((instance) => ({ instance, is: states.next().value! }));
        const marked = (is: string) => all.filter((each) => each.is === is).map(({ instance }) => instance);
        const accepted = acceptedOf(findings, {
          baseline: marked("baseline"),
          suppressions: marked("suppressed").map(({ id }) => ({
            id,
            reason: "known",
            expires: "2028-01-01",
          })),
          today: now,
        });
        const scan = scanWith(findings);
        const written = (format: Format): string => exportScan(scan, format, { marks: accepted.marks, now });
        const table = renderTable(scan, { paint: (_, text) => text, width: 100, verbose: false }, accepted);

        const expected = countsOfText(LINE.table.exec(table)![0]);
        expect(
          countsOfText(LINE.markdown.exec(written("markdown"))![0].replace(/Score.*grade \w\./, "")),
        ).toEqual(expected);
        const sarif = JSON.parse(written("sarif")) as Sarif;
        const open = sarif.runs[0]!.results.filter(({ suppressions }) => suppressions === undefined);
        expect(countsIn(open.map(({ properties }) => properties.severity))).toEqual(expected);
        expect(/<b>(\d+)<\/b><span>open findings/.exec(written("html"))?.[1]).toBe(String(open.length));

        SEVERITIES.forEach((failOn, index) => {
          const thresholds = { failOn, minScore: undefined, minCoverage: 0 };
          const { outcome, reasons } = judge(scan, thresholds, accepted);
          const count = SEVERITIES.slice(0, index + 1).reduce((sum, each) => sum + (expected[each] ?? 0), 0);
          expect(outcome).toBe(count > 0 ? "missed" : "met");
          expect(reasons.join(" ")).toMatch(count > 0 ? new RegExp(`^${count} finding`) : /^$/);
        });

        const locations = marked("open").length;
        expect(written("junit").match(/<failure /g)?.length ?? 0).toBe(locations);
        expect(written("csv").match(/,open,/g)?.length ?? 0).toBe(locations);
        expect(JSON.parse(written("codequality"))).toHaveLength(locations);
      },
    ),
    { numRuns: 100 },
  );
});

interface Sarif {
  readonly runs: readonly {
    readonly results: readonly {
      readonly suppressions?: unknown;
      readonly properties: { readonly severity: Severity };
    }[];
  }[];
}
