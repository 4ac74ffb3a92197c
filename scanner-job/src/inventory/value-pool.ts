import { nameOf, walk, type JsonNode } from "../json.ts";
import { plainName } from "../names.ts";
import { jsonWebTokenOf } from "../signatures/json-web-token.ts";
import { singular } from "./find-ids.ts";
import { kindOfId } from "./id-kinds.ts";
import type { Parameter } from "./operation.ts";

type Wanted = Pick<Parameter, "name" | "type" | "format" | "enum">;

const MAX_PER_NAME = 20;
const MAX_NAMES = 2_000;
const MAX_LENGTH = 200;

/** Values that responses have shown, by the names under which they stood there, and by their format. */
export class ValuePool {
  readonly #byName = new Map<string, Set<string>>();
  readonly #byFormat = new Map<string, Set<string>>();

  /** Takes the values out of a response; `path` is its operation's, whose last word names what is listed. */
  add(path: string, json: unknown): void {
    for (const node of walk(json, { depth: 6, items: 30, values: 3_000 })) {
      const { value } = node;
      if (typeof value !== "string" && typeof value !== "number") continue;
      const text = String(value);
      const claims = jsonWebTokenOf(text.replace(/^Bearer /, ""))?.claims;
      if (claims) this.#addClaims(claims);
      if (text === "" || text.length > MAX_LENGTH) continue;
      const name = plainName(nameOf(node));
      this.#note(name, text);
      // The `id` of a user is what others call `userId`.
      if (/^(id|uuid|guid|slug|name|code|key)$/.test(name)) this.#note(thingOf(node, path) + name, text);
      const format = formatOf(text);
      if (format !== undefined) noteIn(this.#byFormat, format, text);
    }
  }

  /**
   * A value for a parameter or a field of this name and type; undefined when none was seen. `path` is the path of
   * the operation that takes it: what the path names owns the `id`.
   */
  valueFor(wanted: Wanted, path: string = ""): string | undefined {
    if (wanted.enum) return undefined;
    const name = plainName(wanted.name);
    if (SEARCHED.test(name)) return this.#word();
    const byName = this.#candidates(wanted.name, path).find((value) => fits(value, wanted));
    if (byName !== undefined || wanted.format === undefined) return byName;
    return [...(this.#byFormat.get(wanted.format) ?? [])].find((value) => fits(value, wanted));
  }

  /** Values under this name, under other spellings of it, and under names that end in it, in that order. */
  #candidates(name: string, path: string): string[] {
    const names = spellingsOf(name, path);
    const exact = names.flatMap((each) => [...(this.#byName.get(each) ?? [])]);
    if (exact.length > 0) return exact;
    const ending = names.filter((each) => each.length >= SHORTEST_ENDING);
    return [...this.#byName].flatMap(([known, values]) =>
      ending.some((each) => known.endsWith(each)) ? [...values] : [],
    );
  }

  /** A word that a search finds: one out of the name of something. */
  #word(): string | undefined {
    const names = ["name", "title", "username"].flatMap((name) => [...(this.#byName.get(name) ?? [])]);
    return names.flatMap((text) => text.split(/[^\p{L}\d]+/u)).find((word) => word.length >= 3);
  }

  #addClaims(claims: Readonly<Record<string, unknown>>): void {
    for (const [claim, value] of Object.entries(claims).slice(0, 50)) {
      if (typeof value !== "string" && typeof value !== "number") continue;
      const text = String(value);
      if (text === "" || text.length > MAX_LENGTH) continue;
      for (const name of CLAIMS[claim] ?? [plainName(claim)]) this.#note(name, text);
      const format = formatOf(text);
      if (format !== undefined) noteIn(this.#byFormat, format, text);
    }
  }

  #note(name: string, value: string): void {
    if (this.#byName.has(name) || this.#byName.size < MAX_NAMES) noteIn(this.#byName, name, value);
  }
}

function noteIn(values: Map<string, Set<string>>, key: string, value: string): void {
  const known = values.get(key) ?? new Set();
  if (known.size < MAX_PER_NAME) values.set(key, known.add(value));
}

/** Registered claims (RFC 7519), and what providers add to them, by what APIs call the same. */
const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  sub: ["userid", "useruuid", "sub", "accountid"],
  uid: ["userid", "uid"],
  user_id: ["userid"],
  userId: ["userid"],
  id: ["userid"],
  preferred_username: ["username"],
  username: ["username"],
  tid: ["tenantid"],
  tenant: ["tenantid"],
  org_id: ["organizationid", "orgid"],
  orgId: ["organizationid", "orgid"],
  azp: ["clientid"],
  client_id: ["clientid"],
  iat: [],
  exp: [],
  nbf: [],
  jti: [],
  iss: [],
  aud: [],
};

/** Fewer letters than these end too many names. */
const SHORTEST_ENDING = 6;

/**
 * Names under which the same value stands elsewhere, the likeliest first: `userIds` and `user` for `userId`, and
 * `userId` for the `id` or `itemId` of a path that ends in `users`. None for what many things have.
 */
function spellingsOf(name: string, path: string): string[] {
  const plain = plainName(name);
  const thing = plainName(singular(lastNameIn(path)));
  const bare = /^(?:item|resource|object|entity)?(id|uuid|guid|slug|code|key|name)$/.exec(plain)?.[1];
  if (bare !== undefined) return thing === "" ? [] : [thing + bare];
  if (GENERIC.test(plain)) return [];
  const [, stem, kind] = /^(.{2,}?)(ids?|uuids?|guids?|sid|arn|slug|name|code|key)$/.exec(plain) ?? [];
  if (stem === undefined || kind === undefined) return [plain, singular(plain), `${plain}id`];
  const same = /^(ids?|uuids?|guids?|sid)$/.test(kind) ? ["id", "uuid", "guid"] : [kind];
  return [plain, singular(plain), ...same.map((each) => stem + each), ...(kind === "name" ? [] : [stem])];
}

/** What the object is that the value belongs to: by the member that holds it, or else by what the operation lists. */
function thingOf({ parent }: JsonNode, path: string): string {
  const holder = parent === undefined ? "" : nameOf(parent);
  return plainName(
    singular(/^(data|items|results|content|rows|records|value|)$/i.test(holder) ? lastNameIn(path) : holder),
  );
}

/** The last fixed segment that names something; `/users/me` is about users. */
const lastNameIn = (path: string): string =>
  path
    .split("/")
    .findLast(
      (segment) =>
        segment !== "" && !/^(\{.*|v\d[\d.]*|api|me|self|current|search|query|all|list)$/i.test(segment),
    ) ?? "";

function fits(value: string, { type, format }: Wanted): boolean {
  if (type === "integer") return /^-?\d{1,15}$/.test(value);
  if (type === "number") return value.trim() !== "" && Number.isFinite(Number(value));
  if (type !== "string") return false;
  if (format === "uuid") return kindOfId(value)?.startsWith("uuid") ?? false;
  if (format !== undefined && FORMATS.some(([known]) => known === format)) return formatOf(value) === format;
  return format === undefined || !/^(time|byte|binary|ipv|iri|duration)/.test(format);
}

const formatOf = (value: string): string | undefined => FORMATS.find(([, form]) => form.test(value))?.[0];

const FORMATS: readonly (readonly [string, RegExp])[] = [
  ["email", /^[^\s@]{1,80}@[^\s@]{1,80}\.[a-z]{2,20}$/i],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/],
  ["uri", /^https?:\/\/\S{1,180}$/],
];

const SEARCHED =
  /^(q|query|search\w*|keywords?|terms?|text|s|needle|phrase|suchbegriff|suche|busqueda|buscar|recherche|ricerca|pesquisa|zoekterm)$/;
const GENERIC =
  /^(name|type|status|state|page|limit|size|offset|sort|order|orderby|fields|filter|format|from|to|version|count|total|url|uri|href|message|description|body|content|comment|note|title|password|passwd|token)$/;
