import { ANONYMOUS, type NotedWrite } from "@glovebox/contract";
import type { Connection } from "../connect.ts";
import { noResponse } from "../engine/crash.ts";
import { fitsTemplate } from "../inventory/discovery/path-template.ts";
import type { Operation } from "../inventory/operation.ts";
import { resourcesOf } from "../sequences/resources.ts";
import { CREATION, OWN_OBJECT, ProbeResponse, type ProbeRequest } from "../transport/exchange.ts";
import type { JournaledWrite, WriteJournal } from "../writes/journal.ts";
import { deleteObjects, unlessLost } from "./clean-up.ts";
import { identitiesOf } from "./register.ts";
import { registrationsIn, userNamed, userNamesOf, withDocumentedPassword } from "./user.ts";

interface Deps {
  readonly journal: WriteJournal;
  readonly operations: readonly Operation[];
  /** Each request is sent, and never from a cache. @throws NetworkError */
  readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
}

/**
 * Takes over what earlier attempts of the scan have left: signs in as the users that they registered, and deletes the objects. The users
 * stay callers of this attempt, which registers no others in their place.
 */
export async function recover({ addCaller, callers }: Connection, deps: Deps): Promise<void> {
  const { journal } = deps;
  const left = journal.earlier.filter(({ cleaned }) => !cleaned);
  for (const noted of left) {
    const write = takenOver(noted, left, deps);
    const name = nameOfUser(noted, journal);
    const taken = new Set(callers.map((caller) => caller.name));
    const identity = noted.identity ?? SELF.find((each) => !taken.has(each));
    if (name === undefined || identity === undefined || taken.has(identity)) continue;
    await unlessLost(() => signInAs({ identity, name, write }, addCaller, deps));
  }
  if (left.length > 0) await deleteObjects(deps, { keepsUsers: true });
}

/** Names of its identities; those that checks register come after the first two. */
const SELF = Array.from({ length: 26 }, (_, index) => `self-${index + 1}`);

/** The user that a write registered, or may have. */
const nameOfUser = ({ form, marked }: NotedWrite, journal: WriteJournal): string | undefined =>
  form === "creation" ? userNamesOf(journal).find((name) => name === marked) : undefined;

function takenOver(
  noted: NotedWrite,
  all: readonly NotedWrite[],
  { journal, operations }: Deps,
): JournaledWrite {
  const { method, url } = noted.request;
  const request: ProbeRequest = {
    ...{ method, url, form: noted.form === "creation" ? CREATION : OWN_OBJECT },
    ...(noted.caller !== ANONYMOUS && { as: noted.caller }),
  };
  const response =
    noted.response &&
    new ProbeResponse({
      request,
      status: noted.response.status,
      headers: {},
      body: noResponse(request).body,
    });
  const { seq, operation: location, marked, object } = noted;
  const write: JournaledWrite = {
    ...{ seq, location, request, marked },
    ...(response && { response }),
    ...(object !== undefined && { object }),
  };
  const { pathname } = new URL(url);
  const resource = resourcesOf(operations).find(
    ({ create }) => create && fitsTemplate(pathname, create.location.path),
  );
  // A deletion may have arrived: the id may belong to an object of somebody else by now.
  const isDeleted = all.some(
    (other) => other.request.method === "DELETE" && other.object === object && other.seq > seq,
  );
  journal.takeOver(isDeleted ? { ...noted, proven: false } : noted, write, resource);
  return write;
}

async function signInAs(
  { identity, name, write }: { identity: string; name: string; write: JournaledWrite },
  { signIn, hide }: Connection["addCaller"],
  { journal, operations }: Deps,
): Promise<void> {
  const generated = userNamed(name, journal);
  const [registration] = registrationsIn(operations);
  const documented = registration && withDocumentedPassword(registration, generated, journal);
  for (const user of new Set([generated, documented ?? generated])) {
    hide(user.password);
    for (const each of identitiesOf(identity, user, { operations })) {
      if (!(await signIn(each))) continue;
      journal.registered(identity, name, write);
      return;
    }
  }
}
