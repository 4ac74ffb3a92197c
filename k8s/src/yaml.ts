/**
 * Writes plain data (what JSON can hold) as YAML in block style, keys in the order of the object. Every text that
 * another reader of YAML could take for something else is quoted, as JSON where
 * it can be: YAML 1.2 contains it.
 */
export function toYaml(value: unknown): string {
  return `${block(value, "")}\n`;
}

function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : list(value, indent);
  if (typeof value === "object" && value !== null) return mapping(value, indent);
  return typeof value === "string" ? text(value) : JSON.stringify(value);
}

function list(items: readonly unknown[], indent: string): string {
  // The first line of an item follows its dash, so what is below it is two deeper.
  return items.map((item) => `${indent}- ${block(item, `${indent}  `).trimStart()}`).join("\n");
}

function mapping(value: object, indent: string): string {
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return "{}";
  return entries.map(([key, entry]) => `${indent}${text(key)}:${below(entry, indent)}`).join("\n");
}

function below(entry: unknown, indent: string): string {
  if (typeof entry === "string" && isPage(entry)) return ` |\n${indented(entry.trimEnd(), `${indent}  `)}`;
  const written = block(entry, `${indent}  `);
  return isNested(entry) ? `\n${written}` : ` ${written}`;
}

const isNested = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.values(value).some((entry) => entry !== undefined);

/** Lines that a literal block gives back as they are: the first not indented, the end one line break. */
const isPage = (value: string): boolean => /^[!-~][ -~]*\n(?:[!-~ ]*[!-~]\n)+$/.test(value);

const indented = (lines: string, indent: string): string => lines.replaceAll(/^/gm, indent);

function text(value: string): string {
  if (isPlain(value)) return value;
  // JSON inside a text is easier on the eye without a backslash before each of its quotes.
  const isQuoting = value.includes('"') && /^[ -&(-~]*$/.test(value);
  return isQuoting ? `'${value}'` : JSON.stringify(value);
}

/** A conservative subset of plain scalars: words that begin with a letter or a slash and are no keyword of YAML 1.1. */
const isPlain = (value: string): boolean =>
  /^[A-Za-z/](?:[\w ./,()@+-]|:(?=[^\s])|#(?<=\S#))*$/.test(value) &&
  !value.endsWith(" ") &&
  !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value);
