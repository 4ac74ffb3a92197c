import { packedOutside } from "@glovebox/scan-run";

/** What a statement gives that selects `REPORT_COLUMNS`. */
export interface ReportColumns {
  readonly packed: Uint8Array | null;
  /** Where there is no other form. */
  readonly reportText: string | null;
}

/** The select list of a `ReportColumns`, from a table `r`. */
export const REPORT_COLUMNS = "r.packed, case when r.packed is null then r.body end as report_text";

/** The packed report; packs it in a row of release 0.3 or earlier. Null without one. */
export const packedReportOf = async ({ packed, reportText }: ReportColumns): Promise<Uint8Array | null> =>
  packed ?? (reportText === null ? null : packedOutside(reportText));
