/** Text as PostgreSQL can store it and every JSON reader can read it: no NUL, no lone surrogate (U+FFFD instead). */
export const storableText = (text: string): string => text.toWellFormed().replaceAll("\0", "\u{FFFD}");

/** The value as JSON in which all texts and names are storable: reports quote what hostile targets send. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return SUSPECT.test(json) ? JSON.stringify(value, cleanEntry) : json;
}

/** How JSON.stringify writes NUL and lone surrogates; a harmless literal backslash may also match. */
const SUSPECT = /\\u(0000|d[89a-f])/;

function cleanEntry(_name: string, value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [storableText(name), entry]));
}
