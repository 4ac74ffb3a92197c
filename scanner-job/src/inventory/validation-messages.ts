import type { Schema } from "./openapi/schema.ts";

/** A demand: a value that must be there, one that must not, or what a value must be like. */
export interface Rule {
  readonly problem: "missing" | "unknown" | "invalid";
  readonly schema: Pick<
    Schema,
    | "type"
    | "format"
    | "enum"
    | "pattern"
    | "minimum"
    | "maximum"
    | "exclusiveMinimum"
    | "exclusiveMaximum"
    | "minLength"
    | "maxLength"
  >;
}

export interface NamedRule extends Rule {
  /** The field, where the sentence itself names it. */
  readonly field?: string;
}

const MAX_FIELDS = 10;

/** What a sentence of a validator demands; `[]` for other sentences. Read without backtracking over long texts. */
export function rulesInMessage(message: string): NamedRule[] {
  const text = message.slice(0, 500).replaceAll("`", "'").replaceAll('\\"', '"');
  const several = SEVERAL_MISSING.exec(text)?.[1];
  if (several !== undefined) {
    const names = several
      .split(/\s*(?:,|\band\b|&)\s*/)
      .map(bare)
      .filter((name) => NAME.test(name));
    if (names.length > 1)
      return names.slice(0, MAX_FIELDS).map((field) => ({ problem: "missing", schema: {}, field }));
  }
  const field = fieldNamed(text);
  const at = field === undefined ? {} : { field };
  if (UNKNOWN.test(text)) return [{ problem: "unknown", schema: {}, ...at }];
  const schema = demands(text);
  if (MISSING.test(text) && !/\bvalid [\w-]+ is required/i.test(text))
    return [{ problem: "missing", schema, ...at }];
  return Object.keys(schema).length > 0 ? [{ problem: "invalid", schema, ...at }] : [];
}

const NAME = /^[A-Za-z_$][\w.$[\]-]{0,99}$/;
const bare = (text: string): string => text.trim().replace(/^[\s'"[({]+|[\s'"\])}.:!]+$/g, "");

const SEVERAL_MISSING =
  /\b(?:missing|required|provide|supply|specify)(?: (?:required|the|following|mandatory|all|body|query|request|a|an|is|valid|please)){0,3} (?:fields?|parameters?|params?|propert(?:y|ies)|keys?|values?|arguments?|attributes?)(?: (?:is|are|in body|for|missing))?\s?:?\s?((?:['"[(]?[\w.$-]{1,60}['"\])]?(?:\s?,\s?|\sand\s)?){1,10})/i;

const MISSING =
  /\brequired\b(?! type)|\bmissing\b|can(?:'|no)?t be (?:blank|empty|null)|cannot be (?:blank|empty|null)|(?:must|may|should) not be (?:blank|empty|null|undefined)|is not present|no value (?:given|provided)|\bmandatory\b|not provided|is undefined|non-?empty/i;
const UNKNOWN =
  /unrecognized (?:key|field|property)|additional propert|unknown (?:field|property|parameter|key|name)|should not exist|extra inputs? (?:are|is) not|unexpected (?:field|property|key|parameter)|is not allowed$|unpermitted parameter/i;

/** The field that a sentence names, by where validators put it. */
function fieldNamed(text: string): string | undefined {
  for (const form of NAMED) {
    const name = form.exec(text)?.[1];
    if (name !== undefined && NAME.test(bare(name)) && !NO_FIELD.test(bare(name))) return bare(name);
  }
  return undefined;
}

const NAMED: readonly RegExp[] = [
  /\bvalue is empty: ([\w.]{1,100})/,
  /\bField validation for '([\w.[\]]{1,100})'/,
  /through reference chain: [^"]{1,200}\["([\w.]{1,100})"\]/,
  /\bPath: (\$?[\w.[\]]{1,100})/,
  /\brequired property '([\w.$-]{1,100})'/,
  /\b(?:property|parameter|field|key|attribute|argument|param|header|name|inputs?)\s?:?\s?['"]([\w.$[\]-]{1,100})['"]/i,
  /^['"]([\w.$[\]-]{1,100})['"]/,
  /\bproperty ([\w.$-]{1,100}) should not exist/,
  /^(?:the )?(?:query |path |body |request |header )?(?:parameter |field |property )?([\w.$[\]-]{1,100}) (?:field |parameter |value )?(?:must|is|are|should|can|may|cannot|has|needs|was|does)\b/i,
  /^(?:body|query|querystring|params|headers)[./]([\w.$[\]/-]{1,100}) /,
  /\b(?:missing|required|provide|supply|specify|unpermitted|unknown|invalid|value for)(?: (?:required|the|a|an|query|body|path|request|mandatory|valid|value|is|or|empty|for)){0,6} (?:parameter|field|property|param|key|header|argument|attribute)s?:?\s?([\w.$[\]-]{1,100})/i,
  /^(?:missing|invalid|required|unknown):? (?:required )?([\w.$[\]-]{1,100})$/i,
  /^([\w.$[\]-]{1,100}): /,
];

/** Words that stand where a name may: `body must have …`, `this field is required`. */
const NO_FIELD =
  /^(a|an|the|this|that|it|body|value|field|input|data|parameter|request|query|querystring|params|headers|json|error|is|of|must|string|number|integer|array|object|you|one|all|there|what|which|type|or|validation|bad|invalid|missing|required|not|message|content|please|and)$/i;

/** The constraint on a value in a sentence. */
function demands(text: string): Rule["schema"] {
  const choices = choicesIn(text);
  if (choices.length > 0) return { enum: choices };
  const bounds = boundsIn(text);
  if (Object.keys(bounds).length > 0) return bounds;
  const pattern =
    /\b(?:match|matches|fails to match|match the)(?: the)?(?: required)?(?: pattern| regular expression| regex)?:? ['"]?(?:pattern: )?\/?(\^[^'"]{1,200}?\$)/i.exec(
      text,
    )?.[1];
  if (pattern !== undefined) return { pattern };
  const format = FORMATS.find(([form]) => form.test(text))?.[1];
  if (format !== undefined) return { format };
  const type = TYPED.map((form) => form.exec(text)?.[1]).find((name) => name !== undefined);
  const named = type === undefined ? undefined : typeNamed(type);
  return named === undefined ? {} : { type: named };
}

const LISTED: readonly RegExp[] = [
  /\bvalues accepted for Enum class: (\[[^\]]{1,300}\])/,
  /\b(?:one of|allowed values(?: are)?|valid values(?: are)?|valid options(?: are)?|accepted values(?: are)?|permitted|possible values(?: are)?|expected one of|choices(?: are)?|choose from)(?: the following(?: values)?)?(?: are)?\s?:?\s?(.{1,300})/i,
  /\b(?:input should be|must be either|should be either|must be equal to) (['"].{1,300})/i,
  /\bexpected ((?:['"][^'"]{1,60}['"] ?\| ?){1,30}['"][^'"]{1,60}['"])/i,
];

/** The values of a list in a sentence: `'a', 'b' or 'c'`, `[A, B]`, `a, b`, `"a"|"b"`. */
function choicesIn(text: string): string[] {
  const list = LISTED.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  if (list === undefined) return [];
  const bracketed = /^[[({]([^\])}]{1,300})[\])}]/.exec(list)?.[1];
  const quoted = [...(bracketed ?? list).matchAll(/(['"])([^'"]{1,100})\1/g)].map((match) => match[2]!);
  if (quoted.length > 0) return quoted.slice(0, 50);
  const inner = bracketed ?? /^[^.;]{1,300}/.exec(list)?.[0] ?? "";
  const words = inner.split(/\s?[,|]\s?|\s(?:or|and)\s/).map(bare);
  const usable = words.filter((word) => /^[\w+./:-]{1,60}$/.test(word));
  return words.length > 1 || bracketed !== undefined ? usable.slice(0, 50) : [];
}

const NUMBER = String.raw`(-?\d{1,15}(?:\.\d{1,10})?)`;
const LENGTH = /char|length|long|short|letters|size/i;

function boundsIn(text: string): Rule["schema"] {
  const number = (form: RegExp): number | undefined => {
    const found = form.exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const [, from, to] = BETWEEN.exec(text) ?? [];
  const above = number(ABOVE);
  const below = number(BELOW);
  const min = from === undefined ? number(MINIMUM) : Number(from);
  const max = to === undefined ? number(MAXIMUM) : Number(to);
  const ofLength = LENGTH.test(text);
  const [minimum, maximum] = ofLength
    ? (["minLength", "maxLength"] as const)
    : (["minimum", "maximum"] as const);
  return {
    ...(min === undefined ? {} : { [minimum]: min }),
    ...(max === undefined ? {} : { [maximum]: max }),
    ...(above === undefined || ofLength ? {} : { exclusiveMinimum: above }),
    ...(below === undefined || ofLength ? {} : { exclusiveMaximum: below }),
  };
}

const BETWEEN = new RegExp(
  `\\b(?:between|from|range) \\[?${NUMBER},? ?(?:and|to|-|\\.\\.|,) ?${NUMBER}`,
  "i",
);
const MINIMUM = new RegExp(
  `(?:>= ?|greater than or equal to |larger than or equal to |longer than or equal to |bigger than or equal to |at least |minimum(?: length)?(?: is| of|:)? |fewer than |shorter than |not be less than |no less than |'min' tag ?=? ?)${NUMBER}`,
  "i",
);
const MAXIMUM = new RegExp(
  `(?:<= ?|less than or equal to |smaller than or equal to |shorter than or equal to |at most |no more than |maximum(?: length)?(?: is| of|:)? |more than |longer than |not (?:be greater|exceed)(?: than)? |must not exceed |up to )${NUMBER}`,
  "i",
);
const ABOVE = new RegExp(`(?:> |greater than |more than zero|larger than |after )${NUMBER}`, "i");
const BELOW = new RegExp(`(?:< |less than |smaller than )${NUMBER}`, "i");

/** The more particular ones first. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [
    /\be-?mail\b.{0,40}\b(?:valid|invalid|address|format)|\b(?:valid|be an?|not an?|format ['"]?) ?(?:well-formed )?['"]?e-?mail|well-formed e-?mail/i,
    "email",
  ],
  [/\bdate-?time\b|ISO[- ]?8601|RFC ?3339|timestamp|LocalDateTime|System\.DateTime/i, "date-time"],
  [/\buuid\b|\bguid\b/i, "uuid"],
  [/\bvalid url\b|\b(?:be|not) an? (?:valid )?ur[li]\b|valid uri|format ['"]?ur[li]/i, "uri"],
  [/\bvalid date\b|be an? date\b|YYYY-MM-DD|format ['"]?date['"]?|\bLocalDate\b|not a date/i, "date"],
  [/\bvalid IP|ipv4/i, "ipv4"],
];

const TYPED: readonly RegExp[] = [
  /\b(?:must be|should be|be|is not|not|valid|expected|as|required type|type|requires?|is|to|a)(?: of type| a| an| valid| the)* ['"]?(?:java\.(?:lang|util|math)\.|System\.)?(string|integer|int|int32|int64|long|number|numeric|float|double|decimal|boolean|bool|array|list|object|dictionary|dict|map|Collections\.Generic\.List)\b/i,
  /\b(whole number)\b/i,
];

/** The type of OpenAPI for what languages call it. */
export function typeNamed(name: string): string | undefined {
  const plain = name.toLowerCase();
  if (/^(int|integer|int32|int64|long|whole number)$/.test(plain)) return "integer";
  if (/^(number|numeric|float|double|decimal)$/.test(plain)) return "number";
  if (/^(bool|boolean)$/.test(plain)) return "boolean";
  if (/^(array|list|collections\.generic\.list)$/.test(plain)) return "array";
  if (/^(object|dictionary|dict|map|record)$/.test(plain)) return "object";
  return plain === "string" || plain === "str" ? "string" : undefined;
}
