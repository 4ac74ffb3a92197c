import { ANONYMOUS, journalEntryOf, type JournalEntry } from "@glovebox/contract";
import { optional } from "../json.ts";
import { isSafe } from "../transport/exchange.ts";
import { mayBeStored, type JournaledWrite, type WriteJournal } from "../writes/journal.ts";
import { curlOf, shownExchange } from "./evidence.ts";
import { noResponse } from "./crash.ts";
import { redactText } from "./redact.ts";

/** The journal as the report has it, with the writes of earlier attempts. */
export function journalOf(journal: WriteJournal): JournalEntry[] {
  const own = journal.writes.map((write) => ({ seq: write.seq, entry: journalEntry(write, journal) }));
  const earlier = journal.earlier.map((noted) => ({ seq: noted.seq, entry: journalEntryOf(noted) }));
  return [...earlier, ...own].toSorted((one, other) => one.seq - other.seq).map(({ entry }) => entry);
}

/** One entry of it. */
export function journalEntry(write: JournaledWrite, journal: WriteJournal): JournalEntry {
  const { location, request, response, object } = write;
  const { request: shown, response: received } = shownExchange(request, response ?? noResponse(request));
  const reason = reasonOf(write, journal);
  return {
    operation: location,
    caller: (request.as ?? ANONYMOUS).slice(0, 32),
    request: shown,
    ...(response && { response: received }),
    ...optional("object", object && redactText(object, 2_000)),
    cleaned: reason === undefined,
    ...optional("reason", reason),
    ...(reason !== undefined && optional("curl", deletionOf(write, journal))),
  };
}

/** Why something of a write remains; undefined where nothing does. */
function reasonOf(write: JournaledWrite, { objects, accounts }: WriteJournal): string | undefined {
  const { request, response } = write;
  if (!mayBeStored(response)) return undefined;
  const own =
    objects.find((object) => object.write === write) ??
    objects.findLast(({ path }) => path === write.object) ??
    accounts.find((account) => account.write === write || isOf(account.name, write));
  if (own) return own.isDeleted ? undefined : (own.reason ?? NOT_REACHED);
  // What the response to a DELETE of an object that is gone says does not matter.
  if (request.method === "DELETE") return undefined;
  if (!response) return "No response arrived: whether it was stored is not known.";
  if (response.status >= 500) return "The server failed: whether it was stored is not known.";
  return "The response does not show the id of what it created.";
}

const NOT_REACHED = "The clean-up did not get to it.";

/** A change of the account that sends it. */
const isOf = (name: string, { request }: JournaledWrite): boolean =>
  request.form?.kind === "own-object" && request.as === name;

/** A command that deletes what a creation left. */
function deletionOf(write: JournaledWrite, { objects }: WriteJournal): string | undefined {
  const own = objects.find((each) => each.write === write);
  const remove = own?.resource.remove;
  if (!own || !remove || isSafe(remove.facts)) return undefined;
  const { origin } = new URL(write.request.url);
  return curlOf({ method: "DELETE", url: origin + own.path }, own.owner ?? ANONYMOUS).slice(0, 4_000);
}
