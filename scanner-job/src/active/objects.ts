import { newNonce } from "../engine/probe.ts";
import { shapeOf } from "../inventory/discovery/path-template.ts";
import { corrected } from "../inventory/corrections.ts";
import { kindOfId } from "../inventory/id-kinds.ts";
import type { Field, Operation, RequestChanges } from "../inventory/operation.ts";
import { validationErrors } from "../inventory/validation-errors.ts";
import { atPath, objectOf, withMember, withoutMember } from "../json.ts";
import { lettersOf, percentDecoded } from "../names.ts";
import { isRejectedInput, isSuccess } from "../oracles/classify.ts";
import type { Resource } from "../sequences/resources.ts";
import {
  CREATION,
  OWN_OBJECT,
  type ProbeRequest,
  type ProbeResponse,
  type WriteForm,
} from "../transport/exchange.ts";
import { isReference, type OwnObjects } from "../writes/active-policy.ts";
import type { OwnObject, WriteJournal } from "../writes/journal.ts";

export interface ObjectDeps {
  readonly journal: WriteJournal;
  /** @throws NetworkError */
  readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
  /** Reads without a cache. @throws NetworkError */
  readonly read: (request: ProbeRequest) => Promise<ProbeResponse>;
}

/** What an object is created as, and with. */
export interface NewObject {
  readonly owner: string;
  /** Follows the marker in its texts; must begin with letters that no other object has. */
  readonly text?: string | undefined;
  /** By their dotted paths. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** What came of a creation. */
export interface Creation {
  /** Undefined where none can be sent. */
  readonly response?: ProbeResponse;
  /** Undefined where it failed, or a read does not show the object. */
  readonly object?: OwnObject;
}

/** Creates an object of the resource as somebody, and reads it. @throws NetworkError */
export async function createObject(
  resource: Resource,
  { owner, text, members = {} }: NewObject,
  { journal, send, read }: ObjectDeps,
): Promise<Creation> {
  const { create } = resource;
  const path = create && pathIn(create, journal, owner);
  const body = create && markedBody(create, journal.own, text);
  if (!create || !path || body === undefined) return {};
  const content = withValues(body, Object.entries(members));
  const response = await created(create, { path, content }, { owner, journal, send });
  const address = isSuccess(response) ? journal.writeOf(response)?.object : undefined;
  if (address === undefined) return { response };
  if (resource.read) journal.see(await read(readAt(resource.read, address, owner)));
  const object = journal.objects.findLast((each) => each.path === address && each.isOwn);
  return { response, ...(object && { object }) };
}

async function created(
  create: Operation,
  changes: RequestChanges,
  { owner, journal, send }: Pick<ObjectDeps, "journal" | "send"> & { owner: string },
): Promise<ProbeResponse> {
  const sent = (each: RequestChanges) => send({ ...create.request({ ...each, form: CREATION }), as: owner });
  const response = await sent(changes);
  if (!isRejectedInput(response)) return response;
  const errors = validationErrors(response.json ?? response.body.slice(0, 1_000));
  const demanded = corrected(create, changes, { errors, seen: () => undefined });
  const isMarked = JSON.stringify(demanded?.content ?? "").includes(journal.marker);
  return demanded && isMarked ? sent(demanded) : response;
}

/** A request of an operation on one object to the path of the object. Pure. */
export const readAt = (operation: Operation, path: string, as: string): ProbeRequest => ({
  ...operation.request({ path: valuesAt(operation.location.path, path), query: {} }),
  as,
});

/** Members that say who pays, and with what: such an action moves money. */
const PAYS_WITH = /card|iban|cvc|cvv|accountnumber|paymentmethod|paymenttoken|wallet/;

/** An action on an own object; undefined where it needs what the scan does not have, or moves money. Pure. */
export function actionOn(
  object: OwnObject,
  operation: Operation,
  { as, own, form = OWN_OBJECT }: { as: string; own: OwnObjects; form?: WriteForm },
): ProbeRequest | undefined {
  const { body } = operation.facts;
  const leaves = leavesOf(body?.fields ?? []);
  if (leaves.some(({ name }) => PAYS_WITH.test(lettersOf(name)))) return undefined;
  const references = ownReferences(leaves, own);
  if (!references) return undefined;
  const content = body && withValues(objectOf(body.sample), references);
  const { url } = readAt(operation, object.path, as);
  return { ...operation.request({ form, ...(content !== undefined && { content }) }), url, as };
}

/** The values of the parameters of a template at a path: `{noteId: "7"}`. Pure. */
function valuesAt(template: string, path: string): Record<string, string> {
  const segments = path.split("/");
  return Object.fromEntries(
    template.split("/").flatMap((part, index) => {
      const name = /^\{([^{}]+)\}$/.exec(part)?.[1];
      return name === undefined ? [] : [[name, percentDecoded(segments[index] ?? "")]];
    }),
  );
}

/** The parents of what is created: objects of the same owner. Undefined where there are none. */
function pathIn(
  { location, facts }: Operation,
  journal: WriteJournal,
  owner: string,
): Record<string, string> | undefined {
  const last = location.path.lastIndexOf("}");
  if (last < 0) return {};
  const parent = location.path.slice(0, last + 1);
  const own = journal.objects.findLast(
    (each) =>
      each.owner === owner && each.isOwn && shapeOf(`${each.resource.collection}/{}`) === shapeOf(parent),
  );
  const names = facts.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
  const values = own && valuesAt(parent, own.path);
  return values && names.every((name) => values[name] !== undefined) ? values : undefined;
}

/**
 * A body that the operation takes, with the marker in its free texts, and the scan's own objects in its references. Undefined where it
 * cannot be marked, or needs an object that the scan does not have. Pure.
 */
export function markedBody(
  { facts: { body } }: Operation,
  own: OwnObjects,
  nonce: string = newNonce(),
): unknown {
  if (!body || !/json|urlencoded/i.test(body.mediaType)) return undefined;
  const leaves = leavesOf(body.fields);
  const texts = leaves.filter(({ type, name }) => type === "string" && !isReference(name));
  const free = texts.filter(({ path, name }) => isFreeText(name, atPath(body.sample, path)));
  const marked = free.length > 0 ? free : texts.filter(({ format }) => format === undefined).slice(0, 1);
  if (marked.length === 0) return undefined;
  const mails = texts.filter((each) => isMail(each, atPath(body.sample, each.path)));
  // What a list of somebody else's objects would be filled with is not known.
  const lists = leaves.filter(({ type, required }) => type === "array" && !required);
  const values = [
    ...marked.map(({ path }): Value => [path, `${own.marker} ${nonce}`]),
    ...mails.map(({ path }): Value => [path, `${own.marker}@glovebox.invalid`]),
    ...lists.map(({ path }): Value => [path, undefined]),
  ];
  const references = ownReferences(leaves, own);
  return references && withValues(objectOf(body.sample), [...values, ...references]);
}

/** A dotted path and its value; undefined leaves the member out. */
type Value = readonly [path: string, value: unknown];

const withValues = (content: unknown, values: readonly Value[]): unknown =>
  values.reduce(
    (made, [path, value]) =>
      value === undefined ? withoutMember(made, path) : withMember(made, path, value),
    content,
  );

/** The scan's own objects for the members that refer to something. Undefined where a required one has none. */
function ownReferences(leaves: readonly Field[], { ids }: OwnObjects): Value[] | undefined {
  const references = leaves
    .filter(({ name }) => isReference(name))
    .map(({ path, name, required, type }) => {
      const id = [...(ids.get(lettersOf(name.replace(/[_-]?(id|uuid|guid)s?$/i, ""))) ?? [])].at(-1);
      return { path, required, value: id === undefined ? undefined : ofType(id, type) };
    });
  if (references.some(({ required, value }) => required && value === undefined)) return undefined;
  return references.map(({ path, value }) => [path, value]);
}

const leavesOf = (fields: readonly Field[]): Field[] =>
  fields.filter(
    ({ path, readOnly }) =>
      !path.includes("[") && !readOnly && !fields.some((other) => other.path.startsWith(`${path}.`)),
  );

const isMail = ({ format, name }: Field, sample: unknown): boolean =>
  format === "email" || /e?mail/i.test(name) || (typeof sample === "string" && sample.includes("@"));

/** What the sampler makes of a text that may be anything; or a name of a text that people write. */
const isFreeText = (name: string, sample: unknown): boolean =>
  sample === "test" ||
  (typeof sample === "string" && FREE_TEXT.test(lettersOf(name)) && kindOfId(sample) !== "integer");

const FREE_TEXT =
  /^(title|text|description|content|comment|note|notes|message|subject|summary|label|body|caption)$/;

const ofType = (id: string, type: string): unknown =>
  type === "integer" || type === "number" ? Number(id) : id;
