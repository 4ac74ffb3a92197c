import { isObject, member, nameOf, walk, type JsonNode } from "../json.ts";
import { lettersOf } from "../names.ts";
import { isUnmistakableId } from "../inventory/id-kinds.ts";

/** Values that identify one caller. */
export interface Markers {
  readonly ids: ReadonlySet<string>;
  /** User names, in lower case. */
  readonly names: ReadonlySet<string>;
  /** In lower case. */
  readonly emails: ReadonlySet<string>;
  /** Ids and names of its tenant. */
  readonly tenants: ReadonlySet<string>;
}

interface OwnResponse {
  readonly operation: object;
  readonly json: unknown;
}

/**
 * What identifies a caller, from its responses to reads that need no id (`/me`, `/profile`, `/account`). A response that names
 * its caller is one object, and differs between callers in a user name or an e-mail address. Pure.
 */
export function markersOf(own: readonly OwnResponse[], others: readonly (readonly OwnResponse[])[]): Markers {
  const markers = {
    ids: new Set<string>(),
    names: new Set<string>(),
    emails: new Set<string>(),
    tenants: new Set<string>(),
  };
  for (const { operation, json } of own) {
    const theirs = others.flatMap((reads) =>
      reads.filter((read) => read.operation === operation).map((read) => read.json),
    );
    for (const path of [[], ...keysOfObjects(json)])
      learnFrom(
        at(json, path),
        theirs.map((each) => at(each, path)),
        markers,
      );
  }
  return markers;
}

type Learned = { readonly [Kind in keyof Markers]: Set<string> };

/** The keys of the objects directly below: an envelope has the object there. */
const keysOfObjects = (json: unknown): string[][] =>
  isObject(json)
    ? Object.keys(json)
        .filter((key) => isObject(json[key]))
        .slice(0, 20)
        .map((key) => [key])
    : [];

const at = (json: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => member(value, key), json);

function learnFrom(record: unknown, theirs: readonly unknown[], markers: Learned): void {
  if (!isObject(record)) return;
  const own = Object.entries(record).flatMap(([key, value]) => {
    const text = textOf(value);
    const isOwn = text !== undefined && theirs.every((other) => textOf(member(other, key)) !== text);
    return isOwn ? [{ name: lettersOf(key), text }] : [];
  });
  const emails = own.filter(({ text }) => EMAIL.test(text));
  const names = own.filter(({ name, text }) => USER_NAME.test(name) && text.length >= 3);
  for (const { name, text } of own) if (OWN_ID.test(name)) markers.ids.add(text);
  if (emails.length + names.length === 0) return;
  for (const { text } of emails) markers.emails.add(text.toLowerCase());
  for (const { text } of names) markers.names.add(text.toLowerCase());
  for (const { name, text } of own) {
    if (ID.test(name)) markers.ids.add(text);
    if (TENANT.test(name)) markers.tenants.add(text);
  }
}

const textOf = (value: unknown): string | undefined =>
  (typeof value === "string" && value !== "" && value.length <= 200) || typeof value === "number"
    ? String(value)
    : undefined;

const EMAIL = /^[^\s@]{1,64}@[\w-]+(\.[\w-]+)+$/;
const USER_NAME = /^(user|username|login|loginname|handle|nickname|preferredusername|name)$/;
const ID = /^(id|uuid|guid|sub|uid|userid|useruuid|accountid|customerid|memberid|profileid)$/;
/** Names that an object of something else has only for the id of its owner. */
const OWN_ID = /^(sub|uid|userid|useruuid)$/;

/** Names of a tenant's id, in letters alone. */
export const TENANT = /^(tenant|org|organi[sz]ation|workspace|company)(id|uuid|slug|key|name|code)?$/;

/** Where an object names its owner by one of these values, as `ownerId` or `customer.email`; undefined where it does not. Pure. */
export function ownerMemberIn(json: unknown, markers: Markers): string | undefined {
  const found = [...walk(json, { depth: 5, items: 20, values: 2_000 })].find((node) =>
    namesOwner(node, markers),
  );
  return found && qualified(found);
}

function namesOwner(node: JsonNode, { ids, names, emails }: Omit<Markers, "tenants">): boolean {
  const text = textOf(node.value);
  if (text === undefined || AUTHOR.test(lettersOf(qualified(node)))) return false;
  if (emails.has(text.toLowerCase())) return true;
  if (!ids.has(text) && !names.has(text.toLowerCase())) return false;
  const { parent } = node;
  if (parent?.parent !== undefined && OWNER.test(lettersOf(nameOf(parent)))) return true;
  return !describes(parent?.value, { ids, names, emails }) && isOwnersName(lettersOf(nameOf(node)), text);
}

/** The object's own id or name does not say whose it is; an id that no other thing has does, whatever it is called. */
const isOwnersName = (name: string, text: string): boolean =>
  OWNER.test(name) || (!SELF.test(name) && isUnmistakableId(text) && !/^\d+$/.test(text));

const qualified = (node: JsonNode): string => {
  const own = nameOf(node);
  const outer = node.parent?.parent === undefined ? "" : nameOf(node.parent);
  return outer === "" || outer === own ? own : `${outer}.${own}`;
};

/** Whether a parameter of this name selects what belongs to a user. */
export const namesUser = (name: string): boolean => SELECTS_USER.test(lettersOf(name));

const SELECTS_USER =
  /^(owner|user|customer|client|account|member|patient|employee|creator|createdby|assignee)(id|uuid|name|email|login)?$|^(uid|username|useremail|email)$/;

/** What is public by nature names who wrote it. */
const AUTHOR = /author|postedby|writer|publisher/;
const SELF = /^(id|uuid|guid|sub|name|username|login|handle|nickname)$/;
const OWNER =
  /^(owner|owned|user|customer|client|account|member|patient|employee|buyer|payer|holder|recipient|sender|creator|created|assignee|driver|tenant|beneficiary|student)(by|id|uuid|name|username|login|for|to)*$/;

/** Whether a text names the caller: by its e-mail address, or by an id or name of at least 5 characters as a word. Pure. */
export function isNamedInText(text: string, { ids, names, emails }: Markers): boolean {
  const lower = text.toLowerCase();
  const words = new Set(lower.split(/[^\p{L}\d_-]+/u));
  const isWord = (marker: string): boolean => marker.length >= 5 && words.has(marker.toLowerCase());
  return [...emails].some((email) => lower.includes(email)) || [...ids, ...names].some(isWord);
}

/** Whether the object is the caller's own account: its id is the caller's, and its user name or e-mail address. Pure. */
export function describes(json: unknown, { ids, names, emails }: Omit<Markers, "tenants">): boolean {
  if (!isObject(json)) return false;
  const members = Object.entries(json).map(([key, value]) => [lettersOf(key), textOf(value) ?? ""] as const);
  return (
    members.some(([name, text]) => ID.test(name) && ids.has(text)) &&
    members.some(
      ([name, text]) =>
        emails.has(text.toLowerCase()) || (USER_NAME.test(name) && names.has(text.toLowerCase())),
    )
  );
}

/** Whether the object names the caller as its owner, or in a list of members. Pure. */
export const concerns = (json: unknown, markers: Markers): boolean =>
  ownerMemberIn(json, markers) !== undefined ||
  [...walk(json, { depth: 6, items: 50, values: 3_000 })].some((node) => {
    const text = textOf(node.value);
    return (
      text !== undefined && isInList(node) && (markers.ids.has(text) || markers.names.has(text.toLowerCase()))
    );
  });

/** An item of a list, or a member of one. */
const isInList = ({ parent }: JsonNode): boolean =>
  Array.isArray(parent?.value) || Array.isArray(parent?.parent?.value);
