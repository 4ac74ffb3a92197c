import type { Connection } from "../connect.ts";
import type { Operation } from "../inventory/operation.ts";
import { isRegistration } from "../inventory/sign-in.ts";
import { isObject, member } from "../json.ts";
import { isSuccess } from "../oracles/classify.ts";
import { resourcesOf } from "../sequences/resources.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { NetworkError } from "../transport/network-error.ts";
import type { ActiveTarget } from "../writes/active-target.ts";
import type { OwnAccount } from "../writes/journal.ts";
import { ownAccountRead } from "./accounts.ts";
import { createObject } from "./objects.ts";
import { recover } from "./recover.ts";
import { furtherUsers, registerUsers, type RegisterDeps } from "./register.ts";

/** Objects that a scan creates before its checks, at most: one of each resource. */
const MAX_OBJECTS = 30;

/**
 * Registers two users, and creates an object of each resource as the first, so that the checks find objects that are nobody else's.
 * Without them, the first two identities of the scan that are no administrators take their place.
 * @throws NetworkError
 */
export async function prepareActive(
  connection: Connection,
  operations: readonly Operation[],
): Promise<{ readonly active: ActiveTarget | undefined; readonly notes: readonly string[] }> {
  const { transport, writes, callers } = connection;
  const { journal } = writes;
  if (!journal) return { active: undefined, notes: [] };
  const send = (request: ProbeRequest) => transport.send(request, { share: false });
  await recover(connection, { operations, journal, send });
  const given = callers.filter(({ role }) => role === "user").map(({ name }) => name);
  const deps = { operations, journal, send, taken: callers.map(({ name }) => name), ...connection.addCaller };
  const { names, note } = await registered(deps);
  for (const account of journal.accounts) {
    const created = journal.objects.find(({ write }) => write === account.write);
    if (created) account.id = created.id;
    else await findId(account, operations, send);
  }
  const users = names.length === 2 ? names : given;
  const [owner, stranger] = users;
  const notes = note === undefined ? [] : [`${note} ${explained(users)}`];
  if (owner === undefined) return { active: undefined, notes };
  // Another user for each check would be too many.
  const resources = resourcesOf(operations).filter(({ create }) => !create || !isRegistration(create.facts));
  for (const resource of resources.slice(0, MAX_OBJECTS))
    await unlessRefused(() => createObject(resource, { owner }, { journal, send, read: send }));
  return { active: { owner, stranger, journal, resources, furtherUsers: furtherUsers(deps) }, notes };
}

const explained = ([owner, stranger]: readonly string[]): string =>
  owner === undefined || stranger === undefined
    ? "Objects of one user were not changed as another."
    : `Objects were created as ${owner}, and changed as ${stranger}.`;

async function registered(deps: RegisterDeps): ReturnType<typeof registerUsers> {
  try {
    return await registerUsers(deps);
  } catch (error) {
    if (error instanceof NetworkError)
      return { names: [], note: `Users could not be registered: ${error.message}.` };
    throw error;
  }
}

/** The id of an account, from what the API returns to it about itself. */
async function findId(
  account: OwnAccount,
  operations: readonly Operation[],
  send: (request: ProbeRequest) => Promise<ProbeResponse>,
): Promise<void> {
  const own = ownAccountRead({ operations });
  const response = own && (await unlessRefused(() => send({ ...own.request(), as: account.name })));
  if (!response || !isSuccess(response)) return;
  const { json } = response;
  const holders = [json, member(json, "data"), member(json, "user")].filter(isObject);
  const id = holders
    .flatMap((holder) => ["id", "_id", "uuid", "userId"].map((name) => holder[name]))
    .find(isId);
  if (id !== undefined) account.id = String(id);
}

const isId = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/** A request that is not sent, or gets no response, costs only what it would have shown. */
async function unlessRefused<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NetworkError) return undefined;
    throw error;
  }
}
