import { isObject, member, nameOf, textMember, walk, type JsonObject } from "../json.ts";
import { rulesOfCode } from "./validation-codes.ts";
import { rulesInMessage, type NamedRule, type Rule } from "./validation-messages.ts";

export type RequestLocation = "path" | "query" | "header" | "cookie" | "body";

/** What a refusal demands of one value of a request. */
export interface ValidationError extends Rule {
  /** Dotted path of the member, or name of the parameter, as the target writes it. */
  readonly field: string;
  /** Where the field is sent; undefined where the response does not contain it. */
  readonly location?: RequestLocation;
}

const MAX_ERRORS = 40;
const MAX_MESSAGE = 500;

/**
 * The validation errors in a response (400, 422), in the formats of validators and frameworks: ajv, pydantic, Spring,
 * ASP.NET (RFC 9457), Django REST framework, Rails, Laravel, express-validator, class-validator, zod, joi, Go's
 * validator, marshmallow, Symfony, Jackson, and sentences that name a field. Pure; `body` is JSON or the text as it is.
 */
export function validationErrors(body: unknown): ValidationError[] {
  const found = new Map<string, ValidationError>();
  for (const { value, key, parent } of walk(body, { depth: 6, values: 2_000, items: 50 })) {
    for (const error of errorsAt(value, { key, holder: parent && nameOf(parent), parent: parent?.value })) {
      if (found.size >= MAX_ERRORS || error.field === "" || error.field.length > 200) continue;
      const name = `${error.location ?? ""} ${error.field} ${error.problem}`;
      const known = found.get(name);
      found.set(name, known ? { ...known, schema: { ...error.schema, ...known.schema } } : error);
    }
  }
  return [...found.values()];
}

interface Surroundings {
  readonly key: string;
  /** Name of the member that holds the value's own. */
  readonly holder: string | undefined;
  readonly parent: unknown;
}

function errorsAt(value: unknown, { key, holder, parent }: Surroundings): ValidationError[] {
  if (isObject(value)) return ofEntry(value);
  if (typeof value !== "string") return [];
  const message = value.slice(0, MAX_MESSAGE);
  const written = listWritten(value);
  if (written) return written.flatMap((entry) => (isObject(entry) ? ofEntry(entry) : []));
  // The message of an entry was read with it.
  if (isObject(parent) && fieldOf(parent) !== undefined) return [];
  const isListed = Array.isArray(parent);
  const field = isListed ? (holder ?? "") : key;
  return rulesInMessage(message).flatMap(({ field: named, ...rule }) => {
    if (named !== undefined) return [{ ...rule, ...located(named) }];
    return (isListed ? HOLDS_LISTS : SAYS_NOTHING).test(field) || /^\d*$/.test(field)
      ? []
      : [{ ...rule, ...located(field) }];
  });
}

/** Members that hold messages, and lists of them, and are not names of fields. */
const SAYS_NOTHING =
  /^(errors?|messages?|msg|details?|title|reason|description|status|type|code|timestamp|path|instance|trace(Id)?|exception|data|error_description|statusCode|cause|validation|info|hint)$/i;
const HOLDS_LISTS =
  /^(_?errors?|messages?|details?|formErrors|non_field_errors|issues|violations|invalid_params|reasons?)$/i;

/** An error of zod is often sent as the text of its list. */
function listWritten(text: string): unknown[] | undefined {
  if (!/^\s*\[\s*\{/.test(text) || text.length > 20_000) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.slice(0, MAX_ERRORS) : undefined;
  } catch {
    return undefined;
  }
}

/** One entry of a list of errors: it names the field beside its message, its code, and what the code refers to. */
function ofEntry(entry: JsonObject): ValidationError[] {
  const field = fieldOf(entry);
  if (field === undefined) return [];
  const at = { ...located(field), ...locationOf(entry) };
  const named = rulesOfCode(entry);
  const { message } = entryMessage(entry);
  const stated = message === undefined ? [] : rulesInMessage(message);
  const rules: NamedRule[] = named.length > 0 ? [...named, ...stated.slice(0, 1)] : stated;
  return rules.map(({ field: other, ...rule }) => ({
    ...rule,
    ...at,
    // What is missing is named by the parameters of the error, the field is what it should have been in.
    field:
      other !== undefined && (at.field === "" || rule.problem !== "invalid")
        ? within(at.field, other)
        : at.field,
  }));
}

const within = (outer: string, name: string): string =>
  outer === "" || outer === name || outer.endsWith(`.${name}`) ? outer || name : `${outer}.${name}`;

function entryMessage(entry: JsonObject): { message?: string } {
  const key = ["msg", "message", "defaultMessage", "detail", "title", "error", "reason", "description"].find(
    (name) => typeof member(entry, name) === "string",
  );
  const message = key === undefined ? undefined : textMember(entry, key, MAX_MESSAGE);
  return message === undefined ? {} : { message };
}

/** The field that an entry names: a list of keys, a JSON Pointer, or a dotted path; `` for the whole body. */
function fieldOf(entry: JsonObject): string | undefined {
  for (const key of [
    "loc",
    "path",
    "instancePath",
    "dataPath",
    "propertyPath",
    "field",
    "param",
    "property",
    "key",
    "pointer",
    "parameter",
    "name",
  ]) {
    const value = member(entry, key);
    if (Array.isArray(value)) return value.slice(0, 10).filter(isKey).join(".");
    if (typeof value === "string" && isField(entry, key, value))
      return value.replace(/^#?\/|^\$\.?/, "").replaceAll("/", ".");
  }
  const source = member(entry, "source");
  return isObject(source) ? (textMember(source, "parameter") ?? fieldOf(source)) : undefined;
}

const isKey = (value: unknown): boolean => typeof value === "string" || typeof value === "number";

/** `path` and `name` also belong to the request, `title`s of errors and the like. */
function isField(entry: JsonObject, key: string, value: string): boolean {
  if (value.length > 200 || /\s/.test(value)) return false;
  if (key === "path" || key === "name" || key === "key")
    return (
      !/^\/[a-z]/i.test(value) &&
      entryMessage(entry).message !== undefined &&
      !("timestamp" in entry) &&
      !/Error$|Exception$/.test(value)
    );
  return true;
}

/** `body.name` of FastAPI and Fastify contains the location of the field; list indices are normalised. */
function located(field: string): Pick<ValidationError, "field" | "location"> {
  const plain = field.replace(/^\$\.?/, "").replace(/\[\d*\]|\.\d+(?=\.|$)/g, "[]");
  const [, word, rest = ""] =
    /^(body|json|query|querystring|path|params|header|headers|cookie|cookies|form)(?:\.(.*))?$/s.exec(
      plain,
    ) ?? [];
  const location = word === undefined ? undefined : LOCATIONS[word];
  return location === undefined ? { field: plain } : { field: rest, location };
}

const LOCATIONS: Readonly<Record<string, RequestLocation>> = {
  body: "body",
  json: "body",
  form: "body",
  query: "query",
  querystring: "query",
  path: "path",
  params: "path",
  header: "header",
  headers: "header",
  cookie: "cookie",
  cookies: "cookie",
};

/** express-validator uses `location`, Litestar `source`, Connexion and others `in`. */
function locationOf(entry: JsonObject): Pick<ValidationError, "location"> {
  const word = textMember(entry, "location") ?? textMember(entry, "source") ?? textMember(entry, "in");
  const location = word === undefined ? undefined : LOCATIONS[word];
  return location === undefined ? {} : { location };
}
