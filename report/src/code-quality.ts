import { SEVERITIES, type CompletedScan, type Severity } from "@glovebox/contract";
import { instancesOf, locationName } from "@glovebox/domain";
import { partsOf } from "./findings.ts";
import type { Marked } from "./formats.ts";
import { sourceOf } from "./source-location.ts";
import { plainText } from "./text.ts";

const LEVELS: Readonly<Record<Severity, string>> = {
  critical: "blocker",
  high: "critical",
  medium: "major",
  low: "minor",
  info: "info",
};

/** GitLab's code quality report: an entry for each location. What has a mark is left out, because the format knows no acceptance. */
export function toCodeQuality({ url, findings }: CompletedScan, { marks, document }: Marked): string {
  const open = partsOf(findings, marks).filter(({ mark }) => mark === undefined);
  const entries = open.flatMap(({ finding }) =>
    instancesOf(finding).map(({ id, check, title, severity, location, observed }) => {
      const { path, line } = sourceOf(location, { url, document });
      return {
        description: plainText(`${title}: ${locationName(location)}. ${observed}`),
        check_name: check,
        fingerprint: id,
        severity: LEVELS[severity],
        location: { path, lines: { begin: line } },
      };
    }),
  );
  const worstFirst = entries.toSorted((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  return `${JSON.stringify(worstFirst, undefined, 2)}\n`;
}

const ORDER = SEVERITIES.map((severity) => LEVELS[severity]);
