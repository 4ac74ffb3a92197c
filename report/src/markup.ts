import { plainLines, plainText } from "./text.ts";

/** Text that is HTML or XML already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | null | undefined | readonly Value[];

/** A template of HTML or XML: every value is made plain and escaped, but for what such a template made; null and undefined are left out. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.map((part, index) => part + escaped(values[index])).join(""));
}

/** A text with its line ends. */
export const linesOf = (text: string): Markup => new Markup(plainLines(text).map(entities).join("\n"));

function escaped(value: Value): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(escaped).join("");
  return entities(plainText(String(value)));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const entities = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
