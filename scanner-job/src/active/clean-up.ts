import { ANONYMOUS } from "@glovebox/contract";
import { fitsTemplate } from "../inventory/discovery/path-template.ts";
import { idsInList } from "../inventory/find-ids.ts";
import type { Operation } from "../inventory/operation.ts";
import { isSuccess } from "../oracles/classify.ts";
import { rowsOf } from "../oracles/records.ts";
import { resourcesOf, type Resource } from "../sequences/resources.ts";
import { OWN_OBJECT, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import { OWN_ACCOUNT } from "../writes/active-policy.ts";
import {
  markedText,
  mayBeStored,
  type JournaledWrite,
  type OwnAccount,
  type OwnObject,
  type WriteJournal,
} from "../writes/journal.ts";
import { readAt } from "./objects.ts";

interface Deps {
  readonly journal: WriteJournal;
  readonly operations: readonly Operation[];
  /** Each request is sent, and never from a cache. @throws NetworkError */
  readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
}

/**
 * Deletes what the scan created, newest first, so children before their parents, each as its owner; then its accounts. What a
 * read still shows afterwards remains, and the journal says why.
 */
export async function cleanUp(deps: Deps): Promise<void> {
  const { journal } = deps;
  await deleteObjects(deps);
  for (const account of journal.accounts.toReversed()) {
    const object = journal.objects.find(({ write }) => write === account.write);
    if (object) Object.assign(account, { isDeleted: object.isDeleted, reason: object.reason });
    if (!account.isDeleted) await attempted(account, () => deleteAccount(account, deps));
  }
  for (const write of journal.writes) journal.onChange(write);
}

/** Deletes the objects of the scan, its users only where nothing else is asked for, and notes what became of each. */
export async function deleteObjects(deps: Deps, { keepsUsers = false } = {}): Promise<void> {
  const { journal } = deps;
  for (const write of journal.writes) await unlessLost(() => find(write, deps));
  for (const object of journal.objects.toReversed()) {
    const owner = ownerOf(object, journal);
    const isKept = keepsUsers && journal.accounts.some(({ write }) => write === object.write);
    if (isKept || object.isDeleted || owner === undefined) continue;
    await attempted(object, () => deleteObject(object, owner, deps));
  }
  for (const write of journal.writes) journal.onChange(write);
}

/** Looks in the list for what was created without a response that says so. */
async function find(write: JournaledWrite, { journal, operations, send }: Deps): Promise<void> {
  const { request, object, response } = write;
  const mayBeThere = request.form?.kind === "creation" && object === undefined && mayBeStored(response);
  const owner = request.as ?? ANONYMOUS;
  if (!mayBeThere || owner === ANONYMOUS) return;
  const { pathname } = new URL(request.url);
  const resource = resourcesOf(operations).find(
    ({ create }) => create && fitsTemplate(pathname, create.location.path),
  );
  if (!resource?.list) return;
  const listed = await send(readAt(resource.list, pathname, owner));
  const id = idWith(markedText(write, journal.marker), listed, resource);
  const collection = new URL(listed.request.url).pathname;
  if (id !== undefined)
    journal.find(write, resource, { id, path: `${collection}/${encodeURIComponent(id)}` });
}

/** The id of the row that has a text. */
function idWith(text: string, { json }: ProbeResponse, { read, remove, name }: Resource): string | undefined {
  const parameter = (read ?? remove)?.idParameter;
  const row = (rowsOf(json) ?? []).find((each) => JSON.stringify(each).includes(text));
  return parameter && row !== undefined
    ? idsInList([row], { parameter, collection: name })[0]?.[0]
    : undefined;
}

/** Whoever registered it is not signed in: the account deletes itself. */
function ownerOf({ owner, write }: OwnObject, { accounts }: WriteJournal): string | undefined {
  const account = accounts.find((each) => each.write === write);
  return account?.name ?? (owner === ANONYMOUS ? undefined : owner);
}

/** A request without a response ends only the work that needs it. */
export async function unlessLost(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
  }
}

/** What keeps one from being deleted keeps no other. */
async function attempted(own: OwnObject | OwnAccount, deletion: () => Promise<void>): Promise<void> {
  try {
    await deletion();
  } catch (error) {
    own.reason = `It could not be deleted: ${error instanceof Error ? error.message : String(error)}.`.slice(
      0,
      300,
    );
  }
}

/** Reads it first: what was deleted already may have left its id to an object of somebody else. */
async function deleteObject(object: OwnObject, owner: string, { journal, send }: Deps): Promise<void> {
  const { path } = object;
  const { read, remove } = object.resource;
  const view = async () => read && (await send(readAt(read, path, owner)));
  const before = await view();
  if (before) journal.see(before);
  object.isDeleted = before !== undefined && GONE.has(before.status);
  if (object.isDeleted) return;
  if (!object.isOwn) object.reason = notProvenBy(before);
  else if (!remove) object.reason = NO_OPERATION;
  else note(object, await send({ ...readAt(remove, path, owner), form: OWN_OBJECT }), await view());
}

async function deleteAccount(account: OwnAccount, { operations, send }: Deps): Promise<void> {
  const own = (method: string) =>
    operations.find(
      ({ facts, location }) =>
        facts.method === method &&
        OWN_ACCOUNT.test(location.path) &&
        /\/(me|self|myself|profile)\/?$/i.test(location.path),
    );
  const [remove, read] = [own("DELETE"), own("GET")];
  if (!remove) {
    account.reason = `The API has no operation that deletes the account ${account.userName}.`;
    return;
  }
  const as = account.name;
  const deleted = await send({ ...remove.request({ form: OWN_OBJECT }), as });
  note(account, deleted, read && (await send({ ...read.request(), as })));
}

const NO_OPERATION = "The API has no operation that deletes it.";
const notProvenBy = (read: ProbeResponse | undefined): string =>
  `It was not deleted: ${read ? `a read with status ${read.status}` : "its creation"} does not show that it is what the scan created.`;

/** It is gone where a read says so; where nothing reads it, where the deletion was accepted. */
function note(own: OwnObject | OwnAccount, deleted: ProbeResponse, after: ProbeResponse | undefined): void {
  const isAccepted = isSuccess(deleted) || GONE.has(deleted.status);
  own.isDeleted = after ? isGone(after) : isAccepted;
  if (own.isDeleted) delete own.reason;
  else
    own.reason = isAccepted
      ? `DELETE returned ${deleted.status}, but it still exists.`
      : `DELETE returned ${deleted.status}.`;
}

const GONE: ReadonlySet<number> = new Set([404, 410]);

/** An account that does not exist any more is not signed in. */
const isGone = ({ status, request }: ProbeResponse): boolean =>
  GONE.has(status) || (status === 401 && OWN_ACCOUNT.test(new URL(request.url).pathname));
