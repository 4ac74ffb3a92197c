import { createHash } from "node:crypto";
import type { IndexedFinding } from "@glovebox/domain";
import type { DeliveredReport } from "@glovebox/scan-run";
import {
  API_VERSION,
  CONTROLLER_NAME,
  KIND,
  LABELS,
  type OwnerReference,
  type ScanResource,
  SCHEDULE_KIND,
} from "@glovebox/k8s";

/** Reports as OpenReports defines them (https://github.com/openreports/reports-api). */
export const REPORTS = { group: "openreports.io", version: "v1alpha1", plural: "reports" } as const;

/** Results of one Report, because an object has at most 1.5 MB. The worst findings come first. */
const MAX_RESULTS = 500;
const MAX_LOCATION_LENGTH = 300;

/** A Report, as it is on the wire. */
export interface PolicyReport {
  readonly apiVersion: string;
  readonly kind: "Report";
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly OwnerReference[];
  };
  readonly source: "Glovebox";
  readonly scope: object;
  readonly configuration: { readonly limits: { readonly maxResults: number } };
  readonly summary: Readonly<Record<"pass" | "fail" | "warn" | "error" | "skip", number>>;
  readonly results: readonly object[];
}

/**
 * The Report of a target, by its latest completed Scan. A finding is `fail`, one of severity `info` is `warn`. What passed is in the
 * report of the scan only, because a check may have passed at some locations and not have been tested at others. The Report is
 * deleted with the schedule of the Scan, or with the Scan.
 */
export function policyReport(scan: ScanResource, report: DeliveredReport, at: Date): PolicyReport {
  const { name, namespace, uid, ownerReferences = [] } = scan.metadata;
  const { findings } = report.index;
  const own = { apiVersion: API_VERSION, kind: KIND, name, uid };
  const warnings = findings.filter((finding) => resultOf(finding) === "warn").length;
  return {
    apiVersion: `${REPORTS.group}/${REPORTS.version}`,
    kind: "Report",
    metadata: {
      name: reportName(scan.spec.url),
      namespace,
      labels: { [LABELS.managedBy]: CONTROLLER_NAME },
      annotations: {
        "glovebox.dev/target": scan.spec.url,
        "glovebox.dev/score": String(report.score),
        "glovebox.dev/grade": report.grade,
      },
      ownerReferences: [
        ownerReferences.find(({ kind, controller }) => controller && kind === SCHEDULE_KIND) ?? own,
      ],
    },
    source: "Glovebox",
    scope: { ...own, namespace },
    configuration: { limits: { maxResults: MAX_RESULTS } },
    summary: { pass: 0, fail: findings.length - warnings, warn: warnings, error: 0, skip: 0 },
    results: findings.slice(0, MAX_RESULTS).map((finding) => resultFor(finding, at)),
  };
}

const resultFor = (finding: IndexedFinding, at: Date): object => ({
  policy: finding.category,
  rule: finding.check,
  category: finding.category,
  severity: finding.severity,
  result: resultOf(finding),
  scored: resultOf(finding) === "fail",
  timestamp: { seconds: Math.floor(at.getTime() / 1000), nanos: 0 },
  message: finding.title,
  properties: {
    id: finding.id,
    place: finding.place.slice(0, MAX_LOCATION_LENGTH),
    confidence: finding.confidence,
  },
});

const resultOf = ({ severity }: IndexedFinding): "fail" | "warn" => (severity === "info" ? "warn" : "fail");

/** The same for every scan of the target. */
function reportName(url: string): string {
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 10);
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  const readable = host.replaceAll(/[^a-z0-9]+/g, "-").slice(0, 100);
  return `glovebox-${readable}-${digest}`.replaceAll(/-+/g, "-");
}
