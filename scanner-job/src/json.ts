export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value as an object; an empty one when it is none. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Own members only, so that `constructor` or `__proto__` never reach what every object inherits. */
export function member(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The member as text, cut to `max` characters; undefined when it is not text. */
export function textMember(object: unknown, key: string, max = 200): string | undefined {
  const value = member(object, key);
  return typeof value === "string" ? value.slice(0, max) : undefined;
}

export function listMember(object: unknown, key: string, max = 200): readonly unknown[] {
  const value = member(object, key);
  return Array.isArray(value) ? value.slice(0, max) : [];
}

export function objectMember(object: unknown, key: string): JsonObject {
  return objectOf(member(object, key));
}

/** A copy with another value at the dotted path, made where there is none; `[]` is the first item of a list. */
export function withMember(content: unknown, path: string, value: unknown): unknown {
  const [first = "", ...rest] = path.split(".");
  const name = first.replace(/(\[\])+$/, "");
  if (name === "__proto__") return content;
  const old = member(content, name);
  const isList = first !== name;
  const inner = isList && Array.isArray(old) ? old[0] : old;
  const next = rest.length === 0 ? value : withMember(inner, rest.join("."), value);
  return { ...objectOf(content), [name]: isList ? [next] : next };
}

/** A copy without the member at the dotted path. */
export function withoutMember(content: unknown, path: string): unknown {
  const [name = "", ...rest] = path.split(".");
  if (!isObject(content)) return content;
  if (rest.length > 0) return { ...content, [name]: withoutMember(content[name], rest.join(".")) };
  return Object.fromEntries(Object.entries(content).filter(([key]) => key !== name));
}

/** What is at the dotted path. */
export const atPath = (content: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => member(value, key), content);

/** The texts of a list, each cut to 200 characters. */
export function textsMember(object: unknown, key: string, max = 50): string[] {
  return listMember(object, key, max)
    .filter((value) => typeof value === "string")
    .map((value) => value.slice(0, 200));
}

/** `key: value` when there is a value, for the optional members of plain data. */
export function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: Value });
}

/** A copy of untrusted data that is neither deep nor long: 8 levels, 50 members each, 1,000 characters a text. */
export function boundedCopy(value: unknown, levels = 8): unknown {
  if (typeof value === "string") return value.slice(0, 1_000);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => boundedCopy(item, levels - 1));
  const entries = Object.entries(value).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(
    entries.slice(0, 50).map(([key, item]) => [key.slice(0, 200), boundedCopy(item, levels - 1)]),
  );
}

/** A value inside a JSON value, and where it stands. */
export interface JsonNode {
  readonly value: unknown;
  /** The member's name, or the index of a list's item; empty for the root. */
  readonly key: string;
  /** Levels below the root. */
  readonly depth: number;
  readonly parent: JsonNode | undefined;
}

export interface WalkLimits {
  /** Levels below the root that are visited. */
  readonly depth: number;
  /** Values that are visited at most. */
  readonly values?: number;
  /** Items of a list that are visited at most. */
  readonly items?: number;
  /** `breadth` visits outer values first; `document` visits them in the order of the text. */
  readonly order?: "breadth" | "document";
}

/** Visits a JSON value and what is inside it, without recursion, because its depth is not trusted. */
export function* walk(
  root: unknown,
  { depth, values = 5_000, items = 1_000, order = "breadth" }: WalkLimits,
): Generator<JsonNode, void> {
  let level: JsonNode[] = [{ value: root, key: "", depth: 0, parent: undefined }];
  let left = values - 1;
  const inside = (parent: JsonNode): JsonNode[] => {
    const { value: outer } = parent;
    if (parent.depth >= depth || typeof outer !== "object" || outer === null) return [];
    const entries = Object.entries(Array.isArray(outer) ? outer.slice(0, items) : outer).slice(0, left);
    left -= entries.length;
    return entries.map(([key, value]) => ({ value, key, depth: parent.depth + 1, parent }));
  };
  if (order === "document") {
    for (let node = level.pop(); node !== undefined; node = level.pop()) {
      yield node;
      for (const inner of inside(node).toReversed()) level.push(inner);
    }
    return;
  }
  while (level.length > 0) {
    yield* level;
    level = level.flatMap(inside);
  }
}

/** The member's name; for an item of a list the name of the list, which is what its items are. */
export function nameOf({ key, parent }: JsonNode): string {
  return parent !== undefined && Array.isArray(parent.value) ? nameOf(parent) : key;
}

/** Dotted, with `[]` for the items of a list: `items[].owner.email`; empty for the root. */
export function pathOf({ key, parent }: JsonNode): string {
  if (parent === undefined) return "";
  const outer = pathOf(parent);
  if (Array.isArray(parent.value)) return `${outer}[]`;
  return outer === "" ? key : `${outer}.${key}`;
}

/** The JSON Pointer (RFC 6901) of a node; each key cut to 200 characters. */
export const pointerOf = ({ key, parent }: JsonNode): string =>
  parent === undefined ? "" : pointerOf(parent) + pointerTo(key);

/** The JSON Pointer of these keys, one below the other. */
export const pointerTo = (...keys: readonly string[]): string =>
  keys.map((key) => `/${key.slice(0, 200).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** What a JSON Pointer (RFC 6901) leads to; undefined where that is nothing. */
export function atPointer(json: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1, 20)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, key) => (Array.isArray(value) ? value[Number(key)] : member(value, key)), json);
}
