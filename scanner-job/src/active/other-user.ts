import type { Subject, TargetProfile } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { isSuccess } from "../oracles/classify.ts";
import type { Resource } from "../sequences/resources.ts";
import { OWN_OBJECT, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { markedText, type OwnObject, type WriteJournal } from "../writes/journal.ts";
import { createObject, markedBody, readAt, type ObjectDeps } from "./objects.ts";

/** An operation that writes to an object which the scan can create and read. */
export interface ObjectWrite extends Subject {
  readonly operation: Operation;
  readonly resource: Resource & { readonly read: Operation };
}

/** The operations of an active scan that change or delete what it can create as one user, and try to reach as another. */
export function objectWrites(
  { active }: TargetProfile,
  of: (resource: Resource) => readonly (Operation | undefined)[],
): ObjectWrite[] {
  if (active?.stranger === undefined) return [];
  return active.resources.flatMap((resource) => {
    const { create, read } = resource;
    if (!create || !read) return [];
    return of(resource).flatMap((operation) =>
      operation ? [{ operation, location: operation.location, resource: { ...resource, read } }] : [],
    );
  });
}

/** An object of one user, and another user, for one examination. */
export interface Trial {
  readonly object: OwnObject;
  readonly owner: string;
  readonly stranger: string;
  readonly journal: WriteJournal;
  /** The owner's view of the object, read anew. @throws NetworkError */
  readonly view: () => Promise<ProbeResponse>;
  /** Whether the other user's list has the object, so that it may be shared. @throws NetworkError */
  readonly isListed: () => Promise<boolean>;
}

/** Creations of a check are controls, and reads are never from the cache. */
export const sentBy = ({ control, again }: Probe): Pick<ObjectDeps, "send" | "read"> => ({
  send: control,
  read: again,
});

/** A new object for one examination; undefined where it cannot be created and read. @throws NetworkError */
export async function newTrial({ resource }: ObjectWrite, probe: Probe): Promise<Trial | undefined> {
  const { owner, stranger, journal } = probe.profile.active!;
  const { object } = await createObject(resource, { owner }, { journal, ...sentBy(probe) });
  if (!object || stranger === undefined) return undefined;
  const { list, read } = resource;
  return {
    ...{ object, owner, stranger, journal },
    async view() {
      const response = await probe.again(readAt(read, object.path, owner));
      journal.see(response);
      return response;
    },
    async isListed() {
      if (!list) return false;
      const listed = await probe.again(readAt(list, object.path, stranger));
      return isSuccess(listed) && listed.body.includes(markedText(object.write, journal.marker));
    },
  };
}

/** The request by which somebody changes the object, with a text that no other has; undefined where no text of it can be changed. */
export function changeOf(
  operation: Operation,
  { object, journal }: Trial,
  { as, nonce }: { as: string; nonce: string },
): ProbeRequest | undefined {
  const content = markedBody(operation, journal.own, nonce);
  const { url } = readAt(operation, object.path, as);
  return content === undefined ? undefined : { ...operation.request({ content, form: OWN_OBJECT }), url, as };
}
