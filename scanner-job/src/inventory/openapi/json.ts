export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value as an object; an empty one when it is none. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Own members only, so that `constructor` or `__proto__` never reach what every object inherits. */
export function member(object: unknown, key: string): unknown {
  return isObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The member as text, cut to `max` characters; undefined when it is no text. */
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
