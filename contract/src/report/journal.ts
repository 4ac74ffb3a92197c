import * as z from "zod";
import { exchangeSchema, locationSchema } from "./finding.ts";

export const SCAN_MODES = ["safe", "active"] as const;
/**
 * `safe` writes nothing that could be stored. `active` creates its own users and objects, changes only these, and deletes them
 * again.
 */
export type ScanMode = (typeof SCAN_MODES)[number];
export const scanModeSchema = z.enum(SCAN_MODES).meta({ id: "ScanMode" });

/** Writes of an active scan at most: one that cannot be journaled is not sent. */
export const MAX_JOURNAL = 500;

/** One write of an active scan. */
export const journalEntrySchema = z
  .object({
    operation: locationSchema,
    caller: z.string().max(32).meta({ description: "The identity that sent it, or `anonymous`" }),
    request: exchangeSchema.shape.request,
    response: exchangeSchema.shape.response.optional().meta({ description: "Absent if none arrived" }),
    object: z.string().max(2_000).optional().meta({
      description: "Path of the object that it created, changed or deleted, where it is known",
    }),
    cleaned: z.boolean().meta({
      description: "True if nothing of it remains: it was refused, or what it created was deleted",
    }),
    reason: z.string().max(300).optional().meta({ description: "Why something remains" }),
    curl: z.string().max(4_000).optional().meta({ description: "A command that deletes what remains" }),
  })
  .meta({ id: "JournalEntry" });
export type JournalEntry = z.infer<typeof journalEntrySchema>;

/** What a report has about the writes of the scan. */
export const writeFields = {
  mode: scanModeSchema
    .optional()
    .meta({ description: "`active` if the owner consented to writes. Absent in older reports" }),
  journal: z.array(journalEntrySchema).max(MAX_JOURNAL).optional().meta({
    description: "Every write that an active scan sent on purpose, in order, with what remains of it",
  }),
};
