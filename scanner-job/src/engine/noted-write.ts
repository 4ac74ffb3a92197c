import type { NotedWrite } from "@glovebox/contract";
import { optional } from "../json.ts";
import { markedText, type JournaledWrite, type WriteJournal } from "../writes/journal.ts";
import { briefLocation } from "./delivery.ts";
import { journalEntry } from "./journal.ts";

/** What a line of the output of a scanner holds beside the note. */
const MAX_NOTE_BYTES = 7_000;

/** A write for the launcher of the scanner: what it was, what it made, and what remains of it now. Pure. */
function notedWrite(write: JournaledWrite, journal: WriteJournal): NotedWrite {
  const { request, response, object: _redacted, curl, ...entry } = journalEntry(write, journal);
  const creation = write.request.form?.kind === "creation";
  const own = journal.objects.find((object) => object.write === write);
  const identity = journal.accounts.find((account) => account.write === write)?.name;
  const noted: NotedWrite = {
    ...entry,
    seq: write.seq,
    form: creation ? "creation" : "own-object",
    operation: briefLocation(entry.operation),
    request: { method: request.method, url: write.request.url.slice(0, 1_000), headers: {} },
    ...(response && { response: { status: response.status, headers: {}, body: "" } }),
    ...optional("object", write.object?.slice(0, 2_000)),
    ...optional("curl", curl),
    ...(creation && { marked: markedText(write, journal.marker).slice(0, 100) }),
    ...(own && { id: own.id.slice(0, 500), proven: own.isOwn }),
    ...optional("identity", identity),
  };
  const { curl: _long, ...withoutCommand } = noted;
  return Buffer.byteLength(JSON.stringify(noted)) <= MAX_NOTE_BYTES ? noted : withoutCommand;
}

/** Tells of each write as it is now, unless nothing of it has changed since. */
export function tellChanges(
  journal: WriteJournal,
  tell: (noted: NotedWrite) => void,
): (write: JournaledWrite) => void {
  const told = new Map<number, string>();
  return (write) => {
    const noted = notedWrite(write, journal);
    const text = JSON.stringify(noted);
    if (told.get(write.seq) === text) return;
    told.set(write.seq, text);
    tell(noted);
  };
}
