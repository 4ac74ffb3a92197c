import { isObject, member, objectMember, textMember, type JsonObject } from "../../json.ts";

/** Kinds of documents that are given instead of OpenAPI, by members that only they have. */
const KINDS: readonly { readonly name: string; readonly is: (root: JsonObject) => boolean }[] = [
  {
    name: "a Postman collection",
    is: (root) =>
      /getpostman\.com|postman/i.test(textMember(objectMember(root, "info"), "schema") ?? "") ||
      member(objectMember(root, "info"), "_postman_id") !== undefined ||
      isObject(member(root, "collection")),
  },
  {
    name: "an HTTP archive (HAR)",
    is: (root) => Array.isArray(member(objectMember(root, "log"), "entries")),
  },
  { name: "an AsyncAPI document", is: (root) => member(root, "asyncapi") !== undefined },
  {
    name: "an Insomnia export",
    is: (root) =>
      member(root, "__export_format") !== undefined ||
      /insomnia/i.test(textMember(root, "type") ?? textMember(root, "__export_source") ?? ""),
  },
  {
    name: "a GraphQL schema",
    is: (root) =>
      isObject(member(root, "__schema")) || isObject(member(objectMember(root, "data"), "__schema")),
  },
  {
    name: "a JSON Schema",
    is: (root) => /json-schema\.org/.test(textMember(root, "$schema") ?? ""),
  },
];

/** What a document without an OpenAPI version and paths is, as far as its members tell. */
export const kindOf = (root: JsonObject): string | undefined => KINDS.find(({ is }) => is(root))?.name;

/** Why a text cannot be a document, regardless of the format; undefined for all others. */
export function whyNoDocument(text: string): string | undefined {
  if (text.trim() === "") return "It is empty";
  // A byte that is not UTF-8 arrives as U+FFFD.
  const beginning = text.slice(0, 2_000);
  const unreadable = beginning.match(/[\0\ufffd]/g)?.length ?? 0;
  if (unreadable > beginning.length / 20 || beginning.startsWith("PK\u0003\u0004"))
    return "It is a binary file";
  if (/^\s*<(!doctype html|html)/i.test(beginning)) return "It is a page of HTML, not JSON or YAML";
  if (/^\s*</.test(beginning)) return "It is HTML or XML, not JSON or YAML";
  return /^\s*(schema\s*\{|(extend\s+)?type\s+\w+\s*(implements [^{]*)?\{)/m.test(beginning)
    ? "It is a GraphQL schema, not an OpenAPI document"
    : undefined;
}
