import type { CompletedScan } from "@glovebox/contract";
import type { ReactNode } from "react";
import { CategoryWheel } from "../charts/category-wheel.tsx";
import { Panel } from "../parts/page.tsx";
import { AccessGrid } from "./access-grid.tsx";
import { CallerGridPanel } from "./caller-grid.tsx";
import { CoveragePanel } from "./coverage-panel.tsx";
import { FindingsPanel, type FindingsPanelProps } from "./findings-panel.tsx";
import { GradePanel } from "./grade-panel.tsx";
import { JournalPanel } from "./journal-panel.tsx";
import { IsolationPanel } from "./isolation-panel.tsx";
import { SideEffectsPanel } from "./side-effects-panel.tsx";
import type { TriagedScore } from "./triaged-score.ts";

export interface ReportProps {
  readonly scan: CompletedScan;
  readonly triaged?: TriagedScore | undefined;
  readonly recordOf?: FindingsPanelProps["recordOf"];
}

/** The report of a completed scan: what was tested before what was found. */
export function Report({ scan, triaged, recordOf }: ReportProps): ReactNode {
  return (
    <>
      <CoveragePanel scan={scan} />
      <GradePanel scan={scan} triaged={triaged} />
      <Panel title="Categories" note="The length shows the score; hatched categories were not assessed.">
        <CategoryWheel categories={scan.categories} score={scan.score} />
      </Panel>
      <FindingsPanel findings={scan.findings} recordOf={recordOf} />
      <CallerGridPanel scan={scan} />
      {scan.mode === "active" && <JournalPanel journal={scan.journal ?? []} />}
      {scan.sideEffects && scan.sideEffects.length > 0 && <SideEffectsPanel sideEffects={scan.sideEffects} />}
      {scan.anonymousAccess && scan.anonymousAccess.length > 0 && <AccessGrid paths={scan.anonymousAccess} />}
      {scan.isolation && <IsolationPanel proof={scan.isolation} />}
    </>
  );
}
