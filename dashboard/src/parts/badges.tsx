import { SEVERITIES, type Confidence, type Grade, type ScanState, type Severity } from "@glovebox/contract";
import type { FindingStatus } from "@glovebox/domain";
import type { ReactNode } from "react";
import styles from "./badges.module.css";
import { CONFIDENCE_LABELS, SCAN_LABELS, SEVERITY_LABELS, STATUS_LABELS } from "./words.ts";

export type Tone = Severity | "neutral" | "good" | "running";

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  return <span className={`${styles["badge"]} ${styles[tone]}`}>{children}</span>;
}

/** The name of the severity, and bars that show it without colour. */
export function SeverityBadge({ severity }: { severity: Severity }): ReactNode {
  return (
    <Badge tone={severity}>
      <SeverityBars severity={severity} />
      {SEVERITY_LABELS[severity]}
    </Badge>
  );
}

function SeverityBars({ severity }: { severity: Severity }): ReactNode {
  const filled = 5 - SEVERITIES.indexOf(severity);
  return (
    <svg width="14" height="10" viewBox="0 0 14 10" aria-hidden="true">
      {[0, 1, 2, 3, 4].map((bar) => (
        <rect
          key={bar}
          x={bar * 3}
          y={8 - bar * 2}
          width="2"
          height={2 + bar * 2}
          fill="currentColor"
          opacity={bar < filled ? 1 : 0.25}
        />
      ))}
    </svg>
  );
}

export const ConfidenceBadge = ({ confidence }: { confidence: Confidence }): ReactNode => (
  <Badge tone="neutral">{CONFIDENCE_LABELS[confidence]}</Badge>
);

const STATUS_TONES: Record<FindingStatus, Tone> = {
  open: "high",
  reopened: "critical",
  accepted: "low",
  falsePositive: "neutral",
  fixed: "good",
};

export const StatusBadge = ({ status }: { status: FindingStatus }): ReactNode => (
  <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
);

const SCAN_TONES: Record<ScanState, Tone> = { processing: "running", completed: "good", failed: "critical" };

export const ScanBadge = ({ status }: { status: ScanState }): ReactNode => (
  <Badge tone={SCAN_TONES[status]}>{SCAN_LABELS[status]}</Badge>
);

const GRADE_TONES: Record<Grade, Tone> = { A: "good", B: "low", C: "medium", D: "high", F: "critical" };

/** The grade as its letter; a dash where there is none. */
export function GradeBadge({
  grade,
  size = "small",
}: {
  grade: Grade | null;
  size?: "small" | "large";
}): ReactNode {
  const tone = grade ? GRADE_TONES[grade] : "neutral";
  const large = size === "large" ? styles["large"] : "";
  return (
    <span className={`${styles["grade"]} ${styles[tone]} ${large}`}>
      <span className="visually-hidden">{grade ? "Grade " : "No grade"}</span>
      {grade ?? <span aria-hidden="true">–</span>}
    </span>
  );
}
