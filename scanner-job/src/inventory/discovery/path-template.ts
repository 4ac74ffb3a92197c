import { percentDecoded } from "../../names.ts";
import { isUnmistakableId } from "../id-kinds.ts";
import { singular } from "../find-ids.ts";
import type { Parameter } from "../operation.ts";

/**
 * `/users/42/orders/7` becomes `/users/{userId}/orders/{id}`; the values become samples. `endsInId` means that
 * the last segment is an id although it has the form of a word.
 */
export function templateOf(
  pathname: string,
  { endsInId = false }: { endsInId?: boolean } = {},
): { readonly path: string; readonly parameters: readonly Parameter[] } {
  const segments = pathname.split("/").slice(0, 20).map(decoded);
  const isPlaceholder = (segment: string, index: number): boolean =>
    isUnmistakableId(segment) || isOpen(segment) || (endsInId && index === segments.length - 1);
  const last = segments.findLastIndex(isPlaceholder);
  const parameters: Parameter[] = [];
  const parts = segments.map((segment, index) => {
    if (!isPlaceholder(segment, index)) return encodeURI(segment).replace(/[{}]/g, encodeURIComponent);
    const name = freeName(index === last ? "id" : nameAfter(segments[index - 1] ?? ""), parameters);
    parameters.push(parameterOf(name, segment));
    return `{${name}}`;
  });
  return { path: parts.join("/"), parameters };
}

/** Parameters of a query, with the values that were seen. */
export function queryParameters(query: URLSearchParams): Parameter[] {
  const names = [...new Set(query.keys())].filter((name) => name !== "" && name.length <= 100);
  return names.slice(0, 20).map((name) => ({
    ...parameterOf(name, query.get(name) ?? ""),
    in: "query",
    required: false,
  }));
}

/** The address with `1` for what the text of a program leaves open. */
export const withSamples = (address: string): string =>
  address.replace(/\$?\{[^{}/]*\}/g, "1").replace(/\/:[A-Za-z_]\w*/g, "/1");

/** Templates of which one covers the other's path are one: names of parameters do not count. */
export const shapeOf = (path: string): string => path.replace(/\{[^{}]*\}/g, "{}").replace(/(?<=.)\/+$/, "");

/** Whether a path is one of a template: each segment is the same, or stands for a parameter. */
export function fitsTemplate(pathname: string, template: string): boolean {
  const [asked, segments] = [pathname.split("/"), template.split("/")];
  return (
    segments.length === asked.length &&
    segments.every((segment, index) => segment.includes("{") || segment === asked[index])
  );
}

/** The path above the last segment; empty for the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

/** The path above the last segment before any parameter: of `/api/users/{id}` and of `/api/users` it is `/api`. */
export const parentOfCollection = (path: string): string => parentOf(path.split("/{")[0]!);

/** What the text of a program leaves open: `{id}`, `:id`, `${id}`. */
const isOpen = (segment: string): boolean => /^(\$?\{[^{}]*\}|:[A-Za-z_]\w*)$/.test(segment);

function parameterOf(name: string, value: string): Parameter {
  const type = /^\d{1,15}$/.test(value) ? "integer" : "string";
  const format = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value) ? { format: "uuid" } : {};
  const open = isOpen(value) || value === "";
  return {
    name,
    in: "path",
    required: true,
    type,
    ...format,
    sample: open ? "1" : value.slice(0, 500),
    sampleIsDeclared: !open,
  };
}

/** `users` gives `userId`. */
const nameAfter = (segment: string): string =>
  /^[a-z]/i.test(segment) ? `${singular(segment)}Id` : "parentId";

function freeName(wanted: string, taken: readonly Parameter[]): string {
  const base = wanted.replace(/\W/g, "") || "id";
  return taken.some(({ name }) => name === base) ? `${base}${taken.length + 1}` : base;
}

function decoded(segment: string): string {
  const text = percentDecoded(segment);
  return text.includes("/") ? segment : text;
}
