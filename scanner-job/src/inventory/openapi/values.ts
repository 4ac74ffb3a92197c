import { isObject } from "../../json.ts";
import { plainName } from "../../names.ts";
import { textMatching } from "./pattern.ts";
import type { Schema } from "./schema.ts";

/**
 * A value that the schema allows, as a request has it: what the document itself gives (example, default, enum) before
 * what is made up by format, pattern, name and bounds. Read-only members are left out.
 */
export function valueFor(schema: Schema, name: string = ""): unknown {
  return new ValueMaker().make(schema, name, 0);
}

/** What the document itself gives as a value; undefined when it gives none. */
export const declaredValue = (schema: Schema): unknown =>
  schema.example ??
  schema.examples?.[0] ??
  schema.const ??
  schema.default ??
  schema.enum?.find((value) => value !== null);

/** Values made for one schema; each level may multiply the values of the next. */
const MAX_VALUES = 1_500;

class ValueMaker {
  #left = MAX_VALUES;

  /** `index` distinguishes the items of one list. */
  make(schema: Schema, name: string, index: number): unknown {
    this.#left -= 1;
    const declared = index === 0 ? declaredValue(schema) : schema.enum?.[index];
    if (declared !== undefined) return isObject(declared) ? withoutReadOnly(declared, schema) : declared;
    const [branch] = schema.oneOf ?? [];
    const own = this.#ofType(schema, name, index);
    if (!branch) return own;
    const chosen = this.make(alsoBound(branch, schema), name, index);
    return isObject(own) && isObject(chosen) ? { ...own, ...chosen } : chosen;
  }

  #ofType(schema: Schema, name: string, index: number): unknown {
    switch (typeFor(schema)) {
      case "object":
        return this.#object(schema);
      case "array":
        return this.#list(schema, name);
      case "integer":
        return numberFor(schema, { isInteger: true, index });
      case "number":
        return numberFor(schema, { isInteger: false, index });
      case "boolean":
        return index % 2 === 0;
      case "null":
        return null;
      default:
        return textFor(schema, name, index);
    }
  }

  #object({ properties = {}, required = [] }: Schema): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const name of new Set([...Object.keys(properties), ...required])) {
      const property = Object.hasOwn(properties, name) ? properties[name]! : {};
      const isNeeded = required.includes(name);
      if (name === "__proto__" || property.readOnly || (!isNeeded && (property.isCut || this.#left <= 0)))
        continue;
      made[name] = this.make(property, name, 0);
    }
    return made;
  }

  #list({ items = {}, minItems = 0, maxItems = Infinity, uniqueItems }: Schema, name: string): unknown[] {
    const wanted = items.isCut || this.#left <= 0 ? minItems : Math.max(minItems, 1);
    const length = Math.min(wanted, maxItems);
    return Array.from({ length }, (_, index) => this.make(items, name, uniqueItems ? index : 0));
  }
}

/** A branch must also hold the bounds beside it. */
const alsoBound = (
  branch: Schema,
  { properties: _, required: __, oneOf: ___, ...outer }: Schema,
): Schema => ({
  ...outer,
  ...branch,
});

function withoutReadOnly(value: object, { properties = {} }: Schema): object {
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => !Object.hasOwn(properties, name) || !properties[name]!.readOnly),
  );
}

function typeFor(schema: Schema): string | undefined {
  if (schema.type !== undefined) return schema.type;
  if (schema.required || schema.properties) return "object";
  const isBounded = [schema.minimum, schema.maximum, schema.multipleOf].some((bound) => bound !== undefined);
  return isBounded ? "number" : undefined;
}

function numberFor(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Schema,
  { isInteger, index }: { isInteger: boolean; index: number },
): number {
  const lowest = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const highest = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const step = multipleOf ?? (isInteger ? 1 : stepBetween(lowest, highest));
  const fits = (value: number): boolean =>
    value >= lowest && value <= highest && value !== exclusiveMinimum && value !== exclusiveMaximum;
  const first =
    lowest === -Infinity
      ? Math.min(step, Math.floor(highest / step) * step)
      : Math.ceil(lowest / step) * step;
  const candidates = [
    ...(multipleOf === undefined ? [1 + index] : []),
    step * (1 + index),
    ...[0, 1, -1, 2].map((more) => first + (more + index) * step),
  ];
  return candidates.map(withoutNoise).find(fits) ?? withoutNoise(first);
}

/** Small enough to lie strictly between the bounds. */
const stepBetween = (lowest: number, highest: number): number =>
  Number.isFinite(highest - lowest) && highest > lowest ? Math.min(1, (highest - lowest) / 4) : 1;

/** 0.1 + 0.2 is 0.3. */
const withoutNoise = (value: number): number => Number(value.toPrecision(15));

function textFor(schema: Schema, name: string, index: number): string {
  const { format = "", pattern, minLength = 0, maxLength = Infinity } = schema;
  const matching = pattern === undefined ? undefined : textMatching(pattern, { minLength, maxLength });
  if (matching !== undefined) return matching;
  const formatted = TEXT_OF_FORMAT[format];
  if (formatted !== undefined && formatted.length <= maxLength && index === 0)
    return padded(formatted, format, minLength);
  const text = `${formatted ?? byName(name)}${index === 0 ? "" : index}`;
  return text.padEnd(minLength, text).slice(0, maxLength);
}

/** Longer texts of a format stay of it only where the format has a part that is free. */
function padded(text: string, format: string, minLength: number): string {
  if (text.length >= minLength) return text;
  const fill = "a".repeat(minLength - text.length);
  if (format === "email" || format === "idn-email") return fill.slice(0, 40) + text;
  if (/^(uri|url|iri)/.test(format)) return text + fill;
  return format === "password" ? text + fill : text;
}

const TEXT_OF_FORMAT: Readonly<Record<string, string>> = {
  uuid: "3f2a7c1e-5b64-4d8e-9a10-6c7d8e9f0a1b",
  date: "2024-01-15",
  "date-time": "2024-01-15T12:00:00Z",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "user@glovebox.invalid",
  "idn-email": "user@glovebox.invalid",
  uri: "https://example.com/",
  "uri-reference": "/example",
  "uri-template": "https://example.com/{id}",
  url: "https://example.com/",
  iri: "https://example.com/",
  hostname: "example.com",
  "idn-hostname": "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "dGVzdA==",
  base64: "dGVzdA==",
  "json-pointer": "/id",
  regex: "a",
  password: "Glove-Box_4711!",
  int32: "1",
  int64: "1",
  decimal: "1",
};

/** What a name wants, the more particular ones first; `test` for all others. */
function byName(name: string): string {
  const plain = plainName(name);
  return TEXT_OF_NAME.find(([known]) => known.test(plain))?.[1] ?? (idLike(name) ? "1" : "test");
}

const TEXT_OF_NAME: readonly (readonly [RegExp, string])[] = [
  [/e?mail(address)?$/, "user@glovebox.invalid"],
  [/password|passwd|^pwd$/, "Glove-Box_4711!"],
  [/(phone|mobile|telephone|msisdn)(number|no)?$/, "+15555550100"],
  [/^(uuid|guid)$|(uuid|guid)$/, "3f2a7c1e-5b64-4d8e-9a10-6c7d8e9f0a1b"],
  [/(url|uri|website|homepage)$/, "https://example.com/"],
  [/(date|day)$|^(dob|since|until|from|to)$/, "2024-01-15"],
  [/(createdat|updatedat|timestamp|datetime)$/, "2024-01-15T12:00:00Z"],
  [/^(country|countrycode|nationality)$/, "US"],
  [/^currency(code)?$/, "USD"],
  [/^(lang|language|locale)$/, "en"],
  [/^(zip|zipcode|postalcode|postcode)$/, "10115"],
  [/^(latitude|lat)$/, "52.5"],
  [/^(longitude|lon|lng)$/, "13.4"],
  [/^(timezone|tz)$/, "UTC"],
  [/^(page|limit|size|pagesize|perpage|offset|count|quantity|amount|year)$/, "1"],
];

const idLike = (name: string): boolean => /(^|[_-])(id|no|number|num)$|[a-z]Id$/i.test(name);
