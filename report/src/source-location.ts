import type { CompletedScan, Location } from "@glovebox/contract";
import type { SourceDocument } from "./formats.ts";
import { plainText } from "./text.ts";

/** A file and a line, as tools that review source code want them. */
export interface SourceLocation {
  /** Relative, with `/` between folders; not yet percent-encoded. */
  readonly path: string;
  readonly line: number;
}

/**
 * Where an operation stands in the OpenAPI document of the repository; elsewhere a path that no repository has, of host and path, such
 * as `api.shop.example/v1/users/{id}`: tools refuse an address of the web. Pure.
 */
export function sourceOf(
  location: Location,
  { url, document }: { url: CompletedScan["url"]; document: SourceDocument | undefined },
): SourceLocation {
  const line = document?.lineOf(location);
  if (document && line !== undefined) return { path: document.path, line };
  const segments = [URL.parse(url)?.host ?? "target", ...location.path.split(/[/\\]/)];
  const safe = segments.filter((segment) => !/^\.*$/.test(segment)); // no empty segment, none that leads upwards
  return { path: plainText(safe.join("/")), line: 1 };
}

/**
 * Finds operations in the text of an OpenAPI document, JSON or YAML, by its keys: the line of the method below its path, else the line of
 * the path. A document may leave out what its servers' addresses have in front. Not a parser: where a document is written in an
 * unusual way, it finds nothing.
 */
export function documentLines(text: string): SourceDocument["lineOf"] {
  const paths = new Map<string, Map<string, number>>();
  let current: Map<string, number> | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const name = keyOf(line);
    if (name?.startsWith("/")) {
      current = new Map([["", index + 1]]);
      if (!paths.has(name)) paths.set(name, current);
    } else if (name !== undefined && METHODS.has(name) && !current?.has(name)) current?.set(name, index + 1);
  }
  return ({ method, path }) => {
    const starts = [...path.matchAll(/\//g)].map(({ index }) => index);
    const template = starts.map((start) => path.slice(start)).find((suffix) => paths.has(suffix));
    const lines = template === undefined ? undefined : paths.get(template);
    return lines?.get(method.toLowerCase()) ?? lines?.get("");
  };
}

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

function keyOf(line: string): string | undefined {
  const key =
    /^\s{0,64}(?:"([^"]{1,2000})"\s{0,8}:|'([^']{1,2000})'\s{0,8}:|([^\s"'#].{0,2000}?):(?:\s|$))/.exec(line);
  return key?.[1] ?? key?.[2] ?? key?.[3];
}
