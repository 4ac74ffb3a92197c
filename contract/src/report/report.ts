import * as z from "zod";
import { accessOfCallersSchema, MAX_ACCESS_PATHS, pathAccessSchema } from "./access.ts";
import { callerSchema, MAX_CALLERS } from "./callers.ts";
import { CATEGORY_KEYS } from "./categories.ts";
import { coverageSchema } from "./coverage.ts";
import { categoryFindingSchema, exchangeSchema, findingSchema, locationSchema } from "./finding.ts";
import { writeFields } from "./journal.ts";
import { CONFIDENCES, SEVERITIES } from "./severities.ts";

export const GRADES = ["A", "B", "C", "D", "F"] as const;
export type Grade = (typeof GRADES)[number];

const score = z.int().min(0).max(100);

/** The result of one category. Score 100 if and only if its findings are empty (docs/decisions.md, "Shapes"). */
export const categoryResultSchema = z
  .object({
    score,
    findings: z.array(categoryFindingSchema),
    assessed: z
      .boolean()
      .optional()
      .meta({ description: "false where nothing of this kind could be assessed" }),
    reason: z.string().optional().meta({ description: "Why it could not be assessed" }),
  })
  .meta({ id: "CategoryResult" });
export type CategoryResult = z.infer<typeof categoryResultSchema>;

export const categoriesSchema = z
  .record(z.enum(CATEGORY_KEYS), categoryResultSchema)
  .meta({ id: "Categories" });

/** One line of the explanation of the score. */
export const deductionSchema = z
  .object({
    category: z.enum(CATEGORY_KEYS),
    finding: z.string().meta({ description: "The finding's id" }),
    severity: z.enum(SEVERITIES),
    confidence: z.enum(CONFIDENCES),
    points: z.number().min(0).meta({ description: "Points taken from the category" }),
    places: z
      .int()
      .min(1)
      .optional()
      .meta({ description: "Number of locations that count, if there are several" }),
  })
  .meta({ id: "Deduction" });

/** What limits the overall score, regardless of the weighted mean. */
export const limitSchema = z
  .object({
    by: z.enum(["coverage", "perimeter", "access", "findings"]),
    points: score.meta({ description: "The maximum score" }),
    deducted: z.number().min(0).max(100).meta({ description: "Points that it takes" }),
    reason: z.string(),
  })
  .meta({ id: "ScoreLimit" });

export const scoringSchema = z
  .object({
    weights: z.partialRecord(z.enum(CATEGORY_KEYS), z.number().min(0)).meta({
      description:
        "Weight of each assessed category, from the table; without findings, times its decided share",
    }),
    weightedMean: z.number().min(0).max(100),
    deductions: z.array(deductionSchema),
    cap: z
      .object({ points: score, reason: z.string() })
      .nullable()
      .meta({ description: "The cap by findings, if any" }),
    limits: z
      .array(limitSchema)
      .optional()
      .meta({ description: "What takes points from the weighted mean; what is left, rounded, is the score" }),
    gradeCap: z
      .object({ grade: z.enum(GRADES), reason: z.string() })
      .optional()
      .meta({ description: "In older reports: why the grade is lower than the score alone would make it" }),
  })
  .meta({ id: "Scoring" });
export type Scoring = z.infer<typeof scoringSchema>;

export const undecidedSchema = z.object({
  reason: z.string(),
  count: z.int().min(1),
});
/** Why a check decided nothing for some of its subjects, and for how many. */
export type Undecided = z.infer<typeof undecidedSchema>;

/** The result of a check over the whole scan: missing responses are never reported as safe. */
export const checkSummarySchema = z
  .object({
    check: z.string(),
    category: z.enum(CATEGORY_KEYS),
    passed: z.int().min(0),
    failed: z.int().min(0),
    inconclusive: z.int().min(0),
    reasons: z.array(z.string()).max(5).meta({ description: "Why it was inconclusive, or did not apply" }),
    undecided: z.array(undecidedSchema).max(20).optional().meta({
      description:
        "The reasons that left subjects to which it applies undecided, the most frequent first, with their number",
    }),
    passedAt: z.string().optional().meta({
      description: "Where it found no weakness: ranges of indices into the report's `places`, as `0-4 7`",
    }),
  })
  .meta({ id: "CheckSummary" });
export type CheckSummary = z.infer<typeof checkSummarySchema>;

const canaryEndpointSchema = z.object({ address: z.string().max(64), port: z.int() });

/** That the scanner was isolated: in one observation the canary was blocked while the target responded. */
export const isolationProofSchema = z
  .object({
    canary: canaryEndpointSchema.meta({
      description: "A listener that every pod without isolation can reach, and the scanner could not",
    }),
    canaries: z.array(canaryEndpointSchema).max(2).optional().meta({
      description: "Where it was found blocked: one endpoint for each address family that the scanner has",
    }),
    connected: z.int().min(0).optional().meta({
      description:
        "Observations before the proof in which the canary was still reached: the policy took effect late",
    }),
    attempts: z.int().min(1).meta({ description: "Observations until the proof" }),
    provenAt: z.iso.datetime().max(64),
    elapsedMs: z.int().min(0).meta({ description: "From the first observation to the proof" }),
  })
  .meta({
    id: "IsolationProof",
    description:
      "Proof that the scanner was isolated: observed before its first request, confirmed alongside the first ones",
  });
export type IsolationProof = z.infer<typeof isolationProofSchema>;

/** Side effects that are listed at most. */
export const MAX_SIDE_EFFECTS = 200;

/** A request that the target may have stored, and the response that shows it. */
export const sideEffectSchema = z
  .object({
    operation: locationSchema,
    request: exchangeSchema.shape.request,
    response: exchangeSchema.shape.response,
    cleaned: z.boolean().meta({ description: "True where the scan removed it again; false in safe mode" }),
  })
  .meta({ id: "SideEffect" });
export type SideEffect = z.infer<typeof sideEffectSchema>;

/** Filters of operations, as in the order of the scan. */
const filters = z.array(z.string().max(500)).max(50);

/** What a scan delivers: the assessment fields of a completed Scan. */
export const reportSchema = z
  .object({
    score,
    grade: z.enum(GRADES),
    categories: categoriesSchema,
    findings: z.array(findingSchema),
    summary: z
      .string()
      .optional()
      .meta({ description: "What was and what was not tested, in one paragraph" }),
    coverage: coverageSchema,
    perimeterOnly: z.boolean().optional().meta({
      description:
        "True if so few operations responded with success that little more than the refusal of anonymous callers was tested",
    }),
    scoring: scoringSchema,
    checks: z.array(checkSummarySchema),
    places: z.array(z.string()).optional().meta({
      description: "What was examined: method and path, and parameter, as `GET /orders/{orderId} (orderId)`",
    }),
    anonymousAccess: z.array(pathAccessSchema).max(MAX_ACCESS_PATHS).optional().meta({
      description:
        "What a caller without credentials may do: for each path and method whether it was allowed, refused, not found, without a response, or not called",
    }),
    accessByCaller: z.array(accessOfCallersSchema).max(MAX_ACCESS_PATHS).optional().meta({
      description:
        "What each identity and an anonymous caller get from each operation, and which of it they must not. Absent in scans without identities",
    }),
    sideEffects: z.array(sideEffectSchema).max(MAX_SIDE_EFFECTS).optional().meta({
      description:
        "What the scan may have left behind: at most one request for each operation that accepted what it should refuse. Absent in older reports",
    }),
    scope: z
      .object({
        include: filters.optional(),
        exclude: filters.optional(),
        leftOut: z.int().min(0).optional().meta({ description: "Known operations that they left out" }),
      })
      .optional()
      .meta({
        description: "Which operations were called, where the scan was limited to some; absent otherwise",
      }),
    ...writeFields,
    notes: z
      .array(z.string())
      .meta({ description: "Notes for the reader, such as an unusable spec document" }),
    identities: z
      .array(callerSchema)
      .max(MAX_CALLERS)
      .optional()
      .meta({ description: "As whom requests were sent, besides anonymous callers" }),
    isolation: isolationProofSchema.optional(),
    scannerVersion: z
      .string()
      .max(64)
      .optional()
      .meta({ description: "The version of Glovebox that made the report" }),
    statistics: z.object({
      requests: z.int().min(0),
      operations: z.int().min(0),
      durationMs: z.int().min(0),
    }),
  })
  .meta({ id: "Report" });
export type Report = z.infer<typeof reportSchema>;
