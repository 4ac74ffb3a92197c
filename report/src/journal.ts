import type { JournalEntry, Report } from "@glovebox/contract";
import { locationName } from "@glovebox/domain";
import { counted } from "./text.ts";

/** What an active scan wrote, in one sentence; empty for a safe scan. */
export function journalText({ mode, journal = [] }: Pick<Report, "mode" | "journal">): string {
  if (mode !== "active") return "";
  const left = leftIn(journal).length;
  const sent = `The owner consented to writes: this scan sent ${counted(journal.length, "write")}, all to users and objects that it created.`;
  if (journal.length === 0) return "The owner consented to writes, but none was sent.";
  return `${sent} ${left === 0 ? "Nothing of them remains." : `Of ${left} of them something remains.`}`;
}

/** The writes of which something remains, one of those that read the same. */
export const remaining = (journal: readonly JournalEntry[] = []): readonly JournalEntry[] => [
  ...new Map(leftIn(journal).map((entry) => [journalEntryText(entry), entry])).values(),
];

const leftIn = (journal: readonly JournalEntry[]): readonly JournalEntry[] =>
  journal.filter(({ cleaned }) => !cleaned);

/** A write in one line: `self-1: POST /notes: status 201, /notes/7. The API has no operation that deletes it.` */
export function journalEntryText({ operation, caller, response, object, reason }: JournalEntry): string {
  const status = response ? `status ${response.status}` : "no response";
  const what = `${caller}: ${locationName(operation)}: ${status}${object === undefined ? "" : `, ${object}`}`;
  return reason === undefined ? what : `${what}. ${reason}`;
}
