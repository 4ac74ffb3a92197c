import * as z from "zod";
import { CATEGORY_KEYS } from "./categories.ts";

const share = z.number().min(0).max(1);
const count = z.int().min(0);

/** Pairs of an operation (or the host) and a category, by what became of them. */
export const pairCountsSchema = z
  .object({
    applicable: count.meta({ description: "Pairs of an operation, or the host, and this category" }),
    decided: count.meta({
      description: "Of these, pairs with at least half of the applicable tests decided",
    }),
    perimeter: count.meta({
      description:
        "Of these, pairs whose operation refused a caller without credentials, so that nothing behind it was tested",
    }),
    share: share.optional().meta({
      description:
        "Decided share of these pairs: of each, the tests that passed or failed over all that apply, weighted by severity × likelihood. Absent in older reports",
    }),
  })
  .meta({ id: "PairCounts" });
export type PairCounts = z.infer<typeof pairCountsSchema>;

/** Why the API may have operations that the scan does not know. */
export const DOCUMENT_GAPS = ["missing", "contradicted"] as const;
export type DocumentGap = (typeof DOCUMENT_GAPS)[number];
export type PairsByCategory = { readonly [key in (typeof CATEGORY_KEYS)[number]]?: PairCounts };

export const coverageSchema = z
  .object({
    categories: share.meta({ description: "Share of the twelve categories assessed" }),
    operations: share.meta({ description: "Share of the known operations with at least one decided test" }),
    overall: share.optional().meta({
      description:
        "Decided share of all pairs of operation and category, weighted by category; at most 0.5 with a `documentGap`. The score is at most 60 + 40 × this",
    }),
    documentGap: z.enum(DOCUMENT_GAPS).optional().meta({
      description:
        "Why operations may be unknown: `missing` where there is no OpenAPI document, `contradicted` where the target lacks operations of it, or has others",
    }),
    refusesNobody: z.boolean().optional().meta({
      description:
        "True where no operation was seen to refuse a caller without credentials, although the document does not declare all of them public",
    }),
    reached: share.optional().meta({
      description:
        "Share of the operations that a scan may call and that responded with success at least once",
    }),
    pairs: z
      .partialRecord(z.enum(CATEGORY_KEYS), pairCountsSchema)
      .optional()
      .meta({ description: "Counts by category; a category that does not apply is absent" }),
  })
  .meta({ id: "Coverage" });
export type Coverage = z.infer<typeof coverageSchema>;

/** Operations of a scan: known, of which something was decided, that it may call, and that responded with success. */
export interface OperationCounts {
  readonly known: number;
  readonly decided: number;
  readonly callable: number;
  readonly reached: number;
}
