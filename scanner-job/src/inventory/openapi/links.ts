import { objectMember, textMember, type JsonObject } from "../../json.ts";
import { percentDecoded } from "../../names.ts";
import type { Link } from "../operation.ts";
import type { SpecReader } from "./reader.ts";

const MAX_LINKS = 20;

/** The links of an operation's successful answers. */
export function readLinks(reader: SpecReader, operation: JsonObject): Link[] {
  return Object.entries(objectMember(operation, "responses"))
    .filter(([status]) => /^(2|default)/.test(status))
    .flatMap(([, raw]) => Object.values(objectMember(reader.resolveObject(raw), "links")))
    .slice(0, MAX_LINKS)
    .flatMap((raw) => {
      const link = reader.resolveObject(raw);
      const to =
        textMember(link, "operationId") ?? operationOf(textMember(link, "operationRef", 1_000) ?? "");
      const parameters = Object.entries(objectMember(link, "parameters"))
        .slice(0, MAX_LINKS)
        .filter((entry): entry is [string, string] => typeof entry[1] === "string");
      return to === undefined ? [] : [{ to, parameters: Object.fromEntries(parameters) }];
    });
}

/** `#/paths/~1users~1{id}/get` is `GET /users/{id}`. */
function operationOf(reference: string): string | undefined {
  const [, path, method] = /^#\/paths\/([^/]+)\/(\w+)$/.exec(reference) ?? [];
  if (path === undefined || method === undefined) return undefined;
  return `${method.toUpperCase()} ${percentDecoded(path).replaceAll("~1", "/").replaceAll("~0", "~")}`;
}
