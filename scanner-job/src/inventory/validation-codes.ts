import { listMember, member, textMember, type JsonObject } from "../json.ts";
import { typeNamed, type NamedRule, type Rule } from "./validation-messages.ts";

/** What the codes of one error mean (`keyword` of ajv, `type` of pydantic and joi, `code` of zod and Spring), with what stands beside them. */
export const rulesOfCode = (entry: JsonObject): NamedRule[] =>
  codesOf(entry).flatMap((code) => ofCode(code, entry));

const codesOf = (entry: JsonObject): string[] =>
  ["keyword", "type", "code", "rule", "tag"].flatMap((key) => textMember(entry, key, 80) ?? []);

type Parameters = (key: string) => unknown;

/** What stands beside a code: in the error itself, or in its parameters, by what each validator calls them. */
const parametersOf =
  (entry: JsonObject): Parameters =>
  (key) =>
    [entry, ...["params", "ctx", "context", "meta"].map((name) => member(entry, name))]
      .map((owner) => member(owner, key))
      .find((value) => value !== undefined);

function ofCode(code: string, entry: JsonObject): NamedRule[] {
  const at = parametersOf(entry);
  const word = code.replace(/^(any|string|number|array|object|value_error|type_error)\./, "").toLowerCase();
  const kind = BOUND_CODES[word];
  if (kind) return ofBound(kind, entry, at);
  if (MISSING_CODES.has(word) || (word === "invalid_type" && isAbsent(at("received"), entry)))
    return [
      { problem: "missing", schema: expectedType(at("expected")), ...optionalField(at("missingProperty")) },
    ];
  if (UNKNOWN_CODES.has(word)) return ofUnknown(entry, at);
  if (ENUM_CODES.has(word)) return ofEnum(at);
  if (FORMAT_CODES.has(word)) return ofFormat(at("format") ?? at("validation"));
  return ofType(/^(invalid_)?type$/.test(word) ? (at("expected") ?? at("type")) : TYPE_CODE.exec(word)?.[1]);
}

function ofEnum(at: Parameters): NamedRule[] {
  const values = ["allowedValues", "options", "values", "valids", "enum_values"].map(at).find(Array.isArray);
  return values ? [{ problem: "invalid", schema: { enum: values.slice(0, 50) } }] : [];
}

const ofFormat = (format: unknown): NamedRule[] =>
  typeof format === "string" ? [{ problem: "invalid", schema: { format: FORMATS[format] ?? format } }] : [];

const FORMAT_CODES = new Set(["format", "invalid_string", "invalid_format"]);
const TYPE_CODE = /^(string|int|integer|float|number|bool|boolean|list|array|dict|object)(_type|_parsing)$/;

function ofBound(kind: "least" | "most", entry: JsonObject, at: Parameters): NamedRule[] {
  const names = ["limit", "minimum", "maximum", "ge", "gt", "le", "lt", "min_length", "max_length"];
  const bound = names.map(at).find((value) => typeof value === "number");
  return bound === undefined ? [] : [{ problem: "invalid", schema: { [boundFor(kind, entry)]: bound } }];
}

function ofUnknown(entry: JsonObject, at: Parameters): NamedRule[] {
  const names = [at("additionalProperty"), at("unevaluatedProperty"), ...listMember(entry, "keys", 20)];
  const fields = names.filter((name) => typeof name === "string");
  return fields.length > 0
    ? fields.map((field) => ({ problem: "unknown", schema: {}, field }))
    : [{ problem: "unknown", schema: {} }];
}

const ofType = (name: unknown): Rule[] => {
  const { type } = expectedType(name);
  return type === undefined ? [] : [{ problem: "invalid", schema: { type } }];
};

function expectedType(name: unknown): Rule["schema"] {
  const type = typeof name === "string" ? typeNamed(name) : undefined;
  return type === undefined ? {} : { type };
}

const optionalField = (name: unknown): { field?: string } =>
  typeof name === "string" ? { field: name } : {};

const isAbsent = (received: unknown, entry: JsonObject): boolean =>
  received === "undefined" ||
  (received === undefined && /received undefined|^required$/i.test(textMember(entry, "message") ?? ""));

const FORMATS: Readonly<Record<string, string>> = { datetime: "date-time", url: "uri", ip: "ipv4" };
const MISSING_CODES = new Set([
  "missing",
  "required",
  "notnull",
  "notblank",
  "notempty",
  "missing_required",
  "blank",
  "null",
]);
const UNKNOWN_CODES = new Set([
  "additionalproperties",
  "unevaluatedproperties",
  "extra_forbidden",
  "extra",
  "unknown",
  "unrecognized_keys",
]);
const ENUM_CODES = new Set([
  "enum",
  "only",
  "invalid_enum_value",
  "invalid_value",
  "literal_error",
  "const",
  "not_in_choices",
]);
const BOUND_CODES: Readonly<Record<string, "least" | "most">> = {
  minimum: "least",
  min: "least",
  minlength: "least",
  minitems: "least",
  too_small: "least",
  greater_than_equal: "least",
  greater_than: "least",
  string_too_short: "least",
  too_short: "least",
  maximum: "most",
  max: "most",
  maxlength: "most",
  maxitems: "most",
  too_big: "most",
  less_than_equal: "most",
  less_than: "most",
  string_too_long: "most",
  too_long: "most",
};

/** A bound of a string is one of its length: validators indicate that by the code, its prefix, or the type beside it. */
function boundFor(
  kind: "least" | "most",
  entry: JsonObject,
): "minimum" | "maximum" | "minLength" | "maxLength" | "exclusiveMinimum" | "exclusiveMaximum" {
  const about = `${codesOf(entry).join(" ")} ${textMember(entry, "origin") ?? ""}`;
  if (/length|string|long\b|short\b/i.test(about)) return kind === "least" ? "minLength" : "maxLength";
  if (/greater_than$/.test(about)) return "exclusiveMinimum";
  if (/less_than$/.test(about)) return "exclusiveMaximum";
  return kind === "least" ? "minimum" : "maximum";
}
