import * as z from "zod";
import { journalEntrySchema, MAX_JOURNAL, type JournalEntry } from "../report/journal.ts";

/**
 * A write of an active scan as its scanner notes it before it is sent, and again when more is known: with what another attempt needs to
 * clean up. It contains no secret, no header and no body of a response.
 */
export const notedWriteSchema = journalEntrySchema.extend({
  seq: z
    .int()
    .min(0)
    .max(MAX_JOURNAL - 1)
    .meta({ description: "From 0, over all attempts" }),
  form: z.enum(["creation", "own-object"]),
  marked: z.string().max(100).optional().meta({
    description: "Of a creation: the text in the object that no other object has",
  }),
  id: z.string().max(500).optional().meta({ description: "Of the object that it created" }),
  identity: z.string().max(32).optional().meta({
    description: "Of the registration of a user: the name of its identity, once it could sign in",
  }),
  proven: z.boolean().optional().meta({
    description: "A response has shown the marker in the object, and no deletion was sent since",
  }),
});
export type NotedWrite = z.infer<typeof notedWriteSchema>;

/** The entry of a write as a journal has it. */
export function journalEntryOf({ seq: _seq, form: _form, ...noted }: NotedWrite): JournalEntry {
  const { marked: _marked, id: _id, proven: _proven, identity: _identity, ...entry } = noted;
  return entry;
}

/** What the attempts of an active scan share. */
export const resumptionSchema = z.object({
  seed: z
    .string()
    .min(32)
    .max(100)
    .meta({ description: "The marker, and the passwords of users that the scan registers, derive from it" }),
  writes: z
    .array(notedWriteSchema)
    .max(MAX_JOURNAL)
    .meta({ description: "Of earlier attempts, which this one cleans up first" }),
  cleanUpOnly: z
    .literal(true)
    .optional()
    .meta({ description: "Clean up, and test nothing: the last attempt ended without an outcome" }),
});
export type Resumption = z.infer<typeof resumptionSchema>;
