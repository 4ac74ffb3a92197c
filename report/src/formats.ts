import { marksInForce, type Marks } from "@glovebox/domain";
import { type CompletedScan, type Location } from "@glovebox/contract";
import { toAccessCsv } from "./access-grid.ts";
import { toCodeQuality } from "./code-quality.ts";
import { toCsv } from "./csv.ts";
import { toHtml } from "./html/page.ts";
import { toJson } from "./json.ts";
import { toJunit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { toSarif } from "./sarif/sarif.ts";

export const FORMAT_NAMES = [
  "json",
  "sarif",
  "junit",
  "html",
  "markdown",
  "csv",
  "accesscsv",
  "codequality",
] as const;
export type Format = (typeof FORMAT_NAMES)[number];

/** The OpenAPI document in the repository that the report is for. */
export interface SourceDocument {
  /** From the root of the repository, with `/` between folders. */
  readonly path: string;
  /** The line, from 1, at which an operation or its path stands. */
  readonly lineOf: (location: Location) => number | undefined;
}

export interface ExportOptions {
  readonly marks?: Marks | undefined;
  /** Marks that expired before are left out. */
  readonly now: Date;
  readonly document?: SourceDocument | undefined;
}

/** What every format is given: the marks that hold. */
export interface Marked extends Pick<ExportOptions, "document"> {
  readonly marks: Marks;
}

interface FormatRow {
  readonly mediaType: string;
  /** Of a file's name. */
  readonly extension: string;
  readonly write: (scan: CompletedScan, marked: Marked) => string;
}

export const FORMATS: Readonly<Record<Format, FormatRow>> = {
  json: { mediaType: "application/json; charset=utf-8", extension: "json", write: toJson },
  sarif: { mediaType: "application/sarif+json; charset=utf-8", extension: "sarif", write: toSarif },
  junit: { mediaType: "application/xml; charset=utf-8", extension: "xml", write: toJunit },
  html: { mediaType: "text/html; charset=utf-8", extension: "html", write: toHtml },
  markdown: { mediaType: "text/markdown; charset=utf-8", extension: "md", write: toMarkdown },
  csv: { mediaType: "text/csv; charset=utf-8; header=present", extension: "csv", write: toCsv },
  accesscsv: {
    mediaType: "text/csv; charset=utf-8; header=present",
    extension: "access.csv",
    write: toAccessCsv,
  },
  codequality: {
    mediaType: "application/json; charset=utf-8",
    extension: "codequality.json",
    write: toCodeQuality,
  },
};

/** A completed scan in a format. The same scan and marks give the same text. Pure. */
export function exportScan(
  scan: CompletedScan,
  format: Format,
  { marks = new Map(), now, document }: ExportOptions,
): string {
  return FORMATS[format].write(scan, { marks: marksInForce(marks, now), document });
}

/** Such as `glovebox-api.shop.example-scan-01jd….sarif`: letters, digits, dots and hyphens. */
export function exportFileName({ id, url }: Pick<CompletedScan, "id" | "url">, format: Format): string {
  const host = (URL.parse(url)?.hostname ?? "target").replaceAll(/[^a-z0-9.-]+/g, "-").slice(0, 100);
  return `glovebox-${host}-${id}.${FORMATS[format].extension}`;
}
