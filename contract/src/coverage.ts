import * as z from "zod";
import { CATEGORY_KEYS } from "./categories.ts";

const share = z.number().min(0).max(1);
const count = z.int().min(0);

/** Pairs of an operation (or the host) and a category, by what became of them. */
export const pairCountsSchema = z
  .object({
    applicable: count.meta({ description: "Pairs of an operation, or the host, and this category" }),
    decided: count.meta({ description: "Of these, tested with a result" }),
    perimeter: count.meta({
      description: "Of these, refused to a caller without credentials, so that nothing behind was tested",
    }),
  })
  .meta({ id: "PairCounts" });
export type PairCounts = z.infer<typeof pairCountsSchema>;
export type PairsByCategory = { readonly [key in (typeof CATEGORY_KEYS)[number]]?: PairCounts };

export const coverageSchema = z
  .object({
    categories: share.meta({ description: "Share of the twelve categories assessed" }),
    operations: share.meta({ description: "Share of the known operations of which something was decided" }),
    overall: share.optional().meta({
      description:
        "Decided share of all pairs of operation and category, weighted by category. The score is at most 60 + 40 × this",
    }),
    reached: share.optional().meta({
      description: "Share of the operations that a scan may call of which one answered with success",
    }),
    pairs: z
      .partialRecord(z.enum(CATEGORY_KEYS), pairCountsSchema)
      .optional()
      .meta({ description: "Counts by category; a category that does not apply is absent" }),
  })
  .meta({ id: "Coverage" });
export type Coverage = z.infer<typeof coverageSchema>;

/** Operations of a scan: known, of which something was decided, that it may call, and that answered it with success. */
export interface OperationCounts {
  readonly known: number;
  readonly decided: number;
  readonly callable: number;
  readonly reached: number;
}

/** The decided share of a category's pairs; 0 where it does not apply. */
export const decidedShare = (pairs: PairCounts | undefined): number =>
  pairs === undefined || pairs.applicable === 0 ? 0 : pairs.decided / pairs.applicable;
