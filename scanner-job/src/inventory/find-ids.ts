import { isObject, pathOf, walk } from "../json.ts";
import { percentDecoded, plainName } from "../names.ts";
import { isUnmistakableId, kindOfId } from "./id-kinds.ts";
import type { Parameter } from "./operation.ts";

/** The search: values of a path parameter of the collection `things`, as `/things/{thingId}` has it. */
export interface Wanted {
  readonly parameter: Pick<Parameter, "name" | "type" | "format">;
  /** Last fixed segment before the parameter: `users`. */
  readonly collection: string;
}

const MAX_IDS = 10;
const MAX_DEPTH = 6;

/**
 * Values of the items of a list that may be their ids, each element the values of one member, the likeliest first: a member with
 * the name of an id, then one whose name or values look like ids, also inside the items (`attributes.code`). The list may
 * itself be the ids, be in an envelope (`data`, `_embedded.users`), or be a map by id. At most four members.
 */
export function idsInList(json: unknown, wanted: Wanted): string[][] {
  for (const items of listsIn(json)) {
    const plain = distinct(items.flatMap((item) => asId(item, wanted)));
    const members = plain.length > 0 ? [plain] : idMembersOf(items, wanted);
    if (members.length > 0) return members;
  }
  const keys = distinct(idsAsKeys(json).filter((id) => fits(id, wanted.parameter)));
  return keys.length > 0 ? [keys] : [];
}

/** Ids of such things wherever a response mentions them: `userId: 5`, `user: { id: 5 }`, `users: [{ id: 5 }]`. */
export function idsMentioned(json: unknown, wanted: Wanted): string[] {
  const thing = plainName(singular(wanted.collection));
  const found: string[] = [];
  for (const { key, value } of walk(json, { depth: MAX_DEPTH })) {
    const name = plainName(key);
    if (name === `${thing}id` || name === `${thing}uuid`) found.push(...asId(value, wanted));
    else if (name === thing) found.push(...idOfItem(value, wanted));
    else if (name === plainName(wanted.collection) && Array.isArray(value)) {
      found.push(...value.slice(0, MAX_IDS).flatMap((item) => idOfItem(item, wanted)));
    }
  }
  return distinct(found);
}

/** The values at the position of the parameter in links that have the shape of the template: `/users/{id}`. */
export function idsInLinks(json: unknown, template: string, wanted: Wanted): string[] {
  const segments = template.split("/");
  const found: string[] = [];
  for (const { value } of walk(json, { depth: MAX_DEPTH })) {
    if (typeof value !== "string" || value.length > 2_000 || !value.includes("/")) continue;
    const path = pathOfLink(value)?.split("/");
    if (path?.length !== segments.length) continue;
    const matches = segments.every((segment, index) => segment.startsWith("{") || segment === path[index]);
    if (matches) found.push(...asId(percentDecoded(path.at(-1)!), wanted));
  }
  return distinct(found);
}

/** Whether the parameter is the id of a user. */
export const namesUser = ({ parameter, collection }: Wanted): boolean =>
  USER.test(plainName(parameter.name)) || USERS.test(collection);

const USER = /^(user|account|customer|member|profile|owner)(id|uuid)?$|^uid$/;
const USERS = /^(users?|accounts?|customers?|members?|profiles?|people|persons?)$/i;

/** `users` to `user`, `categories` to `category`, `addresses` to `address`. */
export function singular(word: string): string {
  if (/ies$/i.test(word)) return word.replace(/ies$/i, "y");
  if (/(ss|x|ch|sh)es$/i.test(word)) return word.slice(0, -2);
  return /[^s]s$/i.test(word) ? word.slice(0, -1) : word;
}

const MAX_MEMBERS = 4;
/** Levels inside an item that are searched for ids. */
const MAX_ITEM_DEPTH = 2;

/** The values of each member that may be the id of the items. */
function idMembersOf(items: readonly unknown[], wanted: Wanted): string[][] {
  const named = distinct(items.flatMap((item) => idOfItem(item, wanted)));
  const members = new Map<string, string[]>();
  for (const item of items) {
    if (!isObject(item)) continue;
    for (const node of walk(item, { depth: MAX_ITEM_DEPTH, values: 100 })) {
      if (node.parent && Array.isArray(node.parent.value)) continue;
      const ids = asId(node.value, wanted).filter((id) => looksLikeId(node.key, id));
      if (ids.length > 0) members.set(pathOf(node), [...(members.get(pathOf(node)) ?? []), ...ids]);
    }
  }
  // What is the same in two items is the id of neither.
  const others = [...members]
    .filter(([, ids]) => new Set(ids).size === items.length)
    .toSorted(([a], [b]) => depthOf(a) - depthOf(b))
    .map(([, ids]) => distinct(ids));
  const all = [...(named.length > 0 ? [named] : []), ...others];
  const keyOf = (ids: readonly string[]): string => ids.join();
  return [...new Map(all.map((ids) => [keyOf(ids), ids])).values()].slice(0, MAX_MEMBERS);
}

const depthOf = (path: string): number => path.split(".").length;

const looksLikeId = (name: string, value: string): boolean =>
  ID_NAME.test(name) || (isUnmistakableId(value) && kindOfId(value) !== "integer");

const ID_NAME =
  /(^|[a-z_-])(id|uuid|guid|ref|reference|number|num|no|code|sku|slug|key|handle|identifier|token|name|username|login)$/i;

function idOfItem(item: unknown, wanted: Wanted): string[] {
  if (typeof item !== "object" || item === null) return asId(item, wanted);
  const members = new Map(
    Object.entries(item)
      .slice(0, 100)
      .map(([key, value]) => [plainName(key), value]),
  );
  for (const name of namesOf(wanted)) {
    const ids = asId(members.get(name), wanted);
    if (ids.length > 0) return ids;
  }
  return [];
}

/** Names of the member that holds the id, the best first: the parameter's, then the common ones. */
function namesOf({ parameter, collection }: Wanted): string[] {
  const thing = plainName(singular(collection));
  return [
    plainName(parameter.name),
    "id",
    `${thing}id`,
    "uuid",
    `${thing}uuid`,
    "slug",
    "key",
    "code",
    "name",
  ];
}

function asId(value: unknown, { parameter }: Wanted): string[] {
  if (typeof value !== "string" && !(typeof value === "number" && Number.isSafeInteger(value))) return [];
  const text = String(value);
  return fits(text, parameter) ? [text] : [];
}

/** Whether a value has the form of the parameter's ids. */
export function fits(value: string, { type, format }: Wanted["parameter"]): boolean {
  const kind = kindOfId(value);
  if (kind === undefined) return false;
  if (type === "integer" || type === "number") return kind === "integer";
  return format === "uuid" ? kind.startsWith("uuid") : true;
}

/** Lists of a response, the outer ones first. */
function listsIn(json: unknown): unknown[][] {
  if (Array.isArray(json)) return [json.slice(0, 100)];
  return [...walk(json, { depth: 3 })]
    .flatMap(({ value }) => (Array.isArray(value) && value.length > 0 ? [value.slice(0, 100)] : []))
    .slice(0, 10);
}

/** The keys of a map whose every key is an id: `{"1": {…}, "2": {…}}`. */
function idsAsKeys(json: unknown): string[] {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return [];
  const keys = Object.keys(json).slice(0, 100);
  const areIds = keys.every((key) => {
    const kind = kindOfId(key);
    return kind !== undefined && kind !== "slug";
  });
  return areIds ? keys : [];
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].slice(0, MAX_IDS);

function pathOfLink(link: string): string | undefined {
  if (!/^(https?:\/)?\//i.test(link) || !URL.canParse(link, "https://none.invalid")) return undefined;
  return new URL(link, "https://none.invalid").pathname;
}
