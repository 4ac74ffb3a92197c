import { nameOf, walk, type Place } from "../json.ts";
import { plainName } from "../names.ts";
import { singular } from "./find-ids.ts";
import { kindOfId } from "./id-kinds.ts";
import type { Parameter } from "./operation.ts";

type Wanted = Pick<Parameter, "name" | "type" | "format" | "enum">;

const MAX_PER_NAME = 20;
const MAX_NAMES = 2_000;
const MAX_LENGTH = 200;

/** Values that answers have shown, by the names under which they stood there. */
export class Harvest {
  readonly #values = new Map<string, Set<string>>();

  /** Takes the values out of an answer; `path` is that of the operation, whose last word names what is listed. */
  add(path: string, json: unknown): void {
    const listed = path.split("/").findLast((segment) => segment !== "" && !segment.startsWith("{")) ?? "";
    for (const place of walk(json, { depth: 6, items: 30, values: 3_000 })) {
      const { value } = place;
      if (typeof value !== "string" && typeof value !== "number") continue;
      const text = String(value);
      if (text === "" || text.length > MAX_LENGTH) continue;
      const name = plainName(nameOf(place));
      this.#note(name, text);
      // The `id` of a user is what others call `userId`.
      if (/^(id|uuid|slug|name|code)$/.test(name)) this.#note(thingOf(place, listed) + name, text);
    }
  }

  /** A value for a parameter or a field of this name and type; undefined when none was seen. */
  valueFor(wanted: Wanted): string | undefined {
    if (wanted.enum) return undefined;
    const name = plainName(wanted.name);
    if (SEARCHED.test(name)) return this.#word();
    // What many things have says nothing of which thing is meant.
    if (GENERIC.test(name)) return undefined;
    return [...(this.#values.get(name) ?? [])].find((value) => fits(value, wanted));
  }

  /** A word that a search finds: one out of the name of something. */
  #word(): string | undefined {
    const names = ["name", "title", "username"].flatMap((name) => [...(this.#values.get(name) ?? [])]);
    return names.flatMap((text) => text.split(/[^\p{L}\d]+/u)).find((word) => word.length >= 3);
  }

  #note(name: string, value: string): void {
    const known = this.#values.get(name) ?? new Set();
    if (known.size >= MAX_PER_NAME || (known.size === 0 && this.#values.size >= MAX_NAMES)) return;
    this.#values.set(name, known.add(value));
  }
}

/** What the object is that the value belongs to: by the member that holds it, or else by what the operation lists. */
function thingOf({ parent }: Place, listed: string): string {
  const holder = parent === undefined ? "" : nameOf(parent);
  return plainName(
    singular(/^(data|items|results|content|rows|records|value|)$/i.test(holder) ? listed : holder),
  );
}

function fits(value: string, { type, format }: Wanted): boolean {
  if (type === "integer") return /^-?\d{1,15}$/.test(value);
  if (type === "number") return value.trim() !== "" && Number.isFinite(Number(value));
  if (type !== "string") return false;
  if (format === "uuid") return kindOfId(value)?.startsWith("uuid") ?? false;
  return format === undefined || !/^(date|time|byte|binary|ipv|uri|duration)/.test(format);
}

const SEARCHED = /^(q|query|search\w*|keywords?|terms?|text|s)$/;
const GENERIC =
  /^(id|name|type|status|state|page|limit|size|offset|sort|order|orderby|fields|filter|format|from|to|version|count|total|url|uri|href|message|description|password|passwd|token|code|key)$/;
