import { percentDecoded } from "../../names.ts";
import { isObject, member, type JsonObject } from "../../json.ts";

const MAX_NOTES = 50;
const MAX_HOPS = 32;

export const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

export type SpecVersion = "2.0" | "3.0" | "3.1" | "3.2";

/** A document being read: follows its local references and remembers what was left out. */
export class SpecReader {
  readonly root: JsonObject;
  readonly version: SpecVersion;
  readonly #notes = new Set<string>();

  constructor(root: JsonObject, version: SpecVersion) {
    this.root = root;
    this.version = version;
  }

  get notes(): string[] {
    return [...this.#notes];
  }

  note(text: string): void {
    if (this.#notes.size < MAX_NOTES) this.#notes.add(text.slice(0, 300));
  }

  /** What a local `$ref` leads to, or the value itself; undefined when the reference leads nowhere, or in a circle. */
  resolve(value: unknown): unknown {
    let at = value;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const reference = member(at, "$ref");
      if (typeof reference !== "string") return at;
      at = reference.startsWith("#") ? this.#follow(reference) : undefined;
      if (at === undefined) this.note(`Reference not resolved: ${reference.slice(0, 200)}`);
    }
    return undefined;
  }

  resolveObject(value: unknown): JsonObject | undefined {
    const resolved = this.resolve(value);
    return isObject(resolved) ? resolved : undefined;
  }

  /** RFC 6901 in a URI fragment. */
  #follow(reference: string): unknown {
    let at: unknown = this.root;
    for (const part of reference.slice(1).split("/").slice(1, 64)) {
      const key = percentDecoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      at = Array.isArray(at) ? at[Number(key)] : member(at, key);
    }
    return at;
  }
}
