import { isObject, member, objectMember, type JsonObject } from "./json.ts";
import { METHODS } from "./operations.ts";
import type { SpecVersion } from "./reader.ts";
import { UnusableDocument } from "./unusable.ts";

/** The version that the document names, or the one it looks like. Throws `UnusableDocument` for anything else. */
export function versionOf(root: JsonObject): { version: SpecVersion; note?: string } {
  const named = member(root, "openapi") ?? member(root, "swagger");
  if (named === undefined) return guessed(root);
  const text = typeof named === "number" ? named.toFixed(1) : textOf(named);
  const version = VERSIONS.find((known) => text === known || text.startsWith(`${known}.`));
  if (version) return { version };
  if (/^3\.\d/.test(text)) return { version: "3.2", note: `Version ${text.slice(0, 20)} was read as 3.2` };
  throw new UnusableDocument(`Its version, ${text.slice(0, 20)}, is not 2.0, 3.0, 3.1 or 3.2`);
}

const textOf = (named: unknown): string => (typeof named === "string" ? named.trim() : "no text");

const VERSIONS: readonly SpecVersion[] = ["2.0", "3.0", "3.1", "3.2"];

function guessed(root: JsonObject): { version: SpecVersion; note: string } {
  const paths = Object.entries(objectMember(root, "paths")).slice(0, 1_000);
  const looksRight = paths.some(
    ([path, item]) => path.startsWith("/") && METHODS.some((method) => isObject(member(item, method))),
  );
  if (!looksRight) throw new UnusableDocument("It is no OpenAPI document: no version and no paths");
  const isOld = ["swagger", "basePath", "host", "definitions"].some((key) => key in root);
  const version = isOld ? "2.0" : "3.0";
  return { version, note: `It names no version and was read as ${version}` };
}
