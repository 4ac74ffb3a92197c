import { isObject } from "../json.ts";
import type { Parameter } from "./operation.ts";

/** How OpenAPI writes lists and objects as parameters; `tabDelimited` is Swagger 2's alone. */
export const STYLES = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "tabDelimited",
  "deepObject",
] as const;

export interface Serialization {
  readonly style: (typeof STYLES)[number];
  readonly explode: boolean;
}

interface Named extends Serialization {
  readonly name: string;
}

const DELIMITERS: Partial<Record<Serialization["style"], string>> = {
  spaceDelimited: " ",
  pipeDelimited: "|",
  tabDelimited: "\t",
};

/** The names and values that a parameter adds to a query or a cookie header, not yet encoded. */
export function pairsOf({ name, style, explode }: Named, value: unknown): [string, string][] {
  if (Array.isArray(value)) {
    return explode
      ? value.map((item): [string, string] => [name, asText(item)])
      : [[name, value.map(asText).join(DELIMITERS[style] ?? ",")]];
  }
  if (!isObject(value)) return [[name, asText(value)]];
  const members = Object.entries(value).map(([key, item]): [string, string] => [key, asText(item)]);
  if (style === "deepObject") return members.map(([key, text]) => [`${name}[${key}]`, text]);
  return explode ? members : [[name, members.flat().join(DELIMITERS[style] ?? ",")]];
}

/** The value of a parameter in a path, encoded. */
export function pathTextOf({ name, style, explode }: Named, value: unknown): string {
  const written = partsOf(value, explode);
  if (style === "label") return `.${written.join(explode ? "." : ",")}`;
  if (style !== "matrix") return written.join(",");
  const key = encodeURIComponent(name);
  if (!explode) return `;${key}=${written.join(",")}`;
  return isObject(value)
    ? written.map((member) => `;${member}`).join("")
    : written.map((item) => `;${key}=${item}`).join("");
}

/** The value of a parameter in a header, which has no delimiter but the comma. */
export const headerTextOf = ({ explode }: Serialization, value: unknown): string =>
  partsOf(value, explode).map(decodeURIComponent).join(",");

function partsOf(value: unknown, explode: boolean): string[] {
  const encode = (item: unknown): string => encodeURIComponent(asText(item));
  if (Array.isArray(value)) return value.map(encode);
  if (!isObject(value)) return [encode(value)];
  return Object.entries(value).flatMap(([key, item]) =>
    explode ? [`${encode(key)}=${encode(item)}`] : [encode(key), encode(item)],
  );
}

/** A value inside a list or an object, or alone: text as it is, everything else as JSON. */
export const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** Where the value of a parameter stands in the body: an argument of GraphQL is one of the variables of its query. */
export const bodyPathOf = ({ in: location, name }: Pick<Parameter, "in" | "name">): string =>
  location === "graphql" ? `variables.${name.slice(name.indexOf(".") + 1)}` : name;
