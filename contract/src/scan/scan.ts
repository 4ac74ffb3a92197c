import * as z from "zod";
import { scanFailureSchema } from "./failure.ts";
import { IDENTITY_FIELDS, checkIdentityFields } from "./identities.ts";
import { operationFiltersSchema } from "./operation-filter.ts";
import { journalEntrySchema, MAX_JOURNAL, scanModeSchema } from "../report/journal.ts";
import { GRADES, categoryResultSchema, reportSchema } from "../report/report.ts";
import { MAX_URL_LENGTH, readTargetUrl, type Schemes } from "./target-url.ts";

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * A new scan id: `scan-` and a ULID in lower case, 48 bits of milliseconds and 80 random bits.
 * Sortable by time, unguessable, and a valid Kubernetes name (RFC 1123 label).
 */
export function newScanId(
  now: Date,
  random: Uint8Array = crypto.getRandomValues(new Uint8Array(10)),
): string {
  let bits = BigInt(now.getTime());
  for (const byte of random) bits = (bits << 8n) | BigInt(byte);

  let text = "";
  for (let index = 0; index < 26; index++) {
    text = CROCKFORD[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `scan-${text}`;
}

/** The shape of what `newScanId` makes. */
export const SCAN_ID_PATTERN = /^scan-[0-9a-hjkmnp-tv-z]{26}$/;

export const isScanId = (text: string): boolean => SCAN_ID_PATTERN.test(text);

/** The purpose of the scanned API; it changes weights and severities. */
export const CONTEXTS = ["financial", "medical", "public", "internal"] as const;
export type ScanContext = (typeof CONTEXTS)[number];

export const STATUSES = ["processing", "completed", "failed"] as const;
export type ScanState = (typeof STATUSES)[number];

/** What a client submits (docs/specification.md, "POST /scan"), as documented: a URL is a text of limited length. */
export const SCAN_FIELDS = {
  url: z.string().max(MAX_URL_LENGTH).meta({ format: "uri", description: "API endpoint to scan; HTTPS" }),
  specUrl: z
    .string()
    .max(MAX_URL_LENGTH)
    .optional()
    .meta({ format: "uri", description: "OpenAPI or Swagger document; HTTPS" }),
  context: z
    .enum(CONTEXTS, `must be one of ${CONTEXTS.join(", ")}`)
    .optional()
    .meta({ description: "What the API is for; changes weights and severities" }),
};

/** Which operations the scan calls. */
export const FILTER_FIELDS = {
  include: operationFiltersSchema
    .optional()
    .meta({ description: "Only operations that match one of these are called" }),
  exclude: operationFiltersSchema
    .optional()
    .meta({ description: "Operations that match one of these are not called" }),
};

/** A URL in normal form; only its text is checked. */
const targetUrl = <Url extends z.ZodType>(url: Url, schemes?: Schemes) =>
  z.preprocess((value, context) => {
    const read = readTargetUrl(value, schemes);
    if (typeof read !== "string") return read.href;
    context.addIssue(read);
    return z.NEVER;
  }, url);

const requestFields = {
  url: targetUrl(SCAN_FIELDS.url),
  specUrl: targetUrl(SCAN_FIELDS.specUrl).optional(),
  context: SCAN_FIELDS.context,
  mode: scanModeSchema.optional().meta({
    description:
      "`safe` (default), or `active`: the owner of the target consents to writes. `active` needs the permission of the account",
  }),
  ...FILTER_FIELDS,
};
const NO_OBJECT = "must be a JSON object";

/** What to scan. Unknown fields are refused, because a misspelt `specUrl` would silently reduce the scan. */
export const scanRequestSchema = z.strictObject(requestFields, NO_OBJECT);
export type ScanRequest = z.infer<typeof scanRequestSchema>;

/** The same over plain HTTP, too, where the egress policy allows it. `/v1` takes HTTPS only. */
export const scanRequestOverHttpSchema = z.strictObject(
  {
    ...requestFields,
    url: targetUrl(SCAN_FIELDS.url, "https or http"),
    specUrl: targetUrl(SCAN_FIELDS.specUrl, "https or http").optional(),
  },
  NO_OBJECT,
);

/** The body of POST /v1/scan: what to scan, and as whom. */
export const scanSubmissionSchema = z
  .strictObject(
    {
      ...requestFields,
      ...IDENTITY_FIELDS,
    },
    NO_OBJECT,
  )
  .superRefine(checkIdentityFields)
  .meta({ id: "ScanRequest" });
export type ScanSubmission = z.infer<typeof scanSubmissionSchema>;

export const progressSchema = z
  .object({ done: z.int().min(0), planned: z.int().min(0) })
  .meta({ id: "Progress", description: "Checks done and planned; one check on one subject counts one" });
export type Progress = z.infer<typeof progressSchema>;

export const scanIdSchema = z
  .string()
  .regex(SCAN_ID_PATTERN)
  .meta({ description: "Sortable by time", example: "scan-01kahr5zn8v3mwf2c7d9e4x6bq" });
const timestamp = z.iso.datetime();

const submitted = { id: scanIdSchema, url: z.string(), createdAt: timestamp, ...FILTER_FIELDS };
const submittedMode = {
  mode: z.literal("active").optional().meta({ description: "Present if the scan may write" }),
};
const failedJournal = {
  journal: z.array(journalEntrySchema).max(MAX_JOURNAL).optional().meta({
    description:
      "The writes of an active scan that ended without a report, in order, with what remains of them",
  }),
};
const unassessed = {
  score: z.null(),
  grade: z.null(),
  completedAt: z.null(),
  categories: z.object({}),
  findings: z.array(z.never()).max(0),
};

/** What a scan that has not completed has instead of a report. */
export const UNASSESSED = { score: null, grade: null, completedAt: null, categories: {}, findings: [] };

export const processingScanSchema = z
  .object({
    ...submitted,
    ...submittedMode,
    status: z.literal("processing"),
    ...unassessed,
    progress: progressSchema,
  })
  .meta({ id: "ProcessingScan" });
export const failedScanSchema = z
  .object({
    ...submitted,
    ...submittedMode,
    status: z.literal("failed"),
    ...unassessed,
    error: scanFailureSchema,
    ...failedJournal,
  })
  .meta({ id: "FailedScan" });
export const completedScanSchema = z
  .object({ ...submitted, status: z.literal("completed"), completedAt: timestamp, ...reportSchema.shape })
  .meta({ id: "CompletedScan" });

/** A scan as GET returns it (docs/specification.md, "Scan"; docs/decisions.md, "Shapes"). */
export const scanSchema = z
  .discriminatedUnion("status", [processingScanSchema, completedScanSchema, failedScanSchema])
  .meta({ id: "Scan" });
export type Scan = z.infer<typeof scanSchema>;
export type CompletedScan = z.infer<typeof completedScanSchema>;

/** A list item (docs/specification.md, "Scan summary"). */
export const scanSummarySchema = z
  .object({
    id: scanIdSchema,
    url: z.string(),
    status: z.enum(STATUSES),
    score: categoryResultSchema.shape.score.nullable(),
    grade: z.enum(GRADES).nullable(),
    findingsCount: z.int().min(0),
    createdAt: timestamp,
  })
  .meta({ id: "ScanSummary" });
export type ScanSummary = z.infer<typeof scanSummarySchema>;

export const scanListSchema = z
  .object({
    scans: z.array(scanSummarySchema),
    total: z.int().min(0).meta({ description: "All scans of the account, in any status" }),
    limit: z.int().min(1).max(100),
    offset: z.int().min(0),
  })
  .meta({ id: "ScanList" });
export type ScanList = z.infer<typeof scanListSchema>;
