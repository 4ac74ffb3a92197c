import { listMember, textMember } from "../../json.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

/** Names that query types and objects often have; the validation says of each whether it exists, or suggests a similar name. */
export const LIKELY_QUERIES =
  "user users me viewer account accounts customer customers product products order orders item items post posts comment comments message messages note notes file files search node nodes settings config status version health audit audits log logs event events group groups role roles project projects task tasks team teams invoice invoices payment payments";
const FIELDS =
  "id name title username email phone firstName lastName fullName password token role roles admin isAdmin status type description content body text url path price total date createdAt updatedAt address city country ipAddr owner user author public private";

const MAX_QUERIES = 25;
const MAX_OBJECTS = 10;

/**
 * What the errors of a validation tell about a schema that is hidden: the query type in the form of an introspection, with the
 * fields that suggestions name, their types, their required arguments, and the fields of objects. Undefined where they tell
 * nothing. The wording is graphql-js's and its ports'; a query that does not validate is not executed.
 */
export async function schemaFromErrors(
  ask: (query: string) => Promise<ProbeResponse | undefined>,
): Promise<object | undefined> {
  const first = errorsOf(await ask(`{${LIKELY_QUERIES}}`));
  const named = new Set([...first.flatMap(suggestionsIn), ...first.flatMap(({ needs }) => needs ?? [])]);
  if (named.size === 0) return undefined;
  const names = [...named].slice(0, MAX_QUERIES);
  // A name that cannot exist keeps the query from being executed.
  const errors = [...first, ...errorsOf(await ask(`{${names.join(" ")} ${UNKNOWN}}`))];
  const fields = names.map((name) => ({ name, ...describe(name, errors) }));
  const objects = new Map(
    fields.flatMap(({ name, type }) => (type.isObject ? [[type.named, name] as const] : [])),
  );
  const types: object[] = [
    {
      kind: "OBJECT",
      name: "Query",
      fields: fields.map(({ name, args, type }) => ({ name, args, type: type.written })),
    },
  ];
  for (const [type, query] of [...objects].slice(0, MAX_OBJECTS)) {
    const unknown = new Set(errorsOf(await ask(`{${query}{${FIELDS} ${UNKNOWN}}}`)).flatMap(unknownIn));
    if (!unknown.has(UNKNOWN)) continue;
    const known = FIELDS.split(" ").filter((name) => !unknown.has(name));
    types.push({ kind: "OBJECT", name: type, fields: known.map((name) => ({ name, args: [], type: TEXT })) });
  }
  return { queryType: { name: "Query" }, types };
}

const UNKNOWN = "gloveboxNoSuchField";
const TEXT = { kind: "SCALAR", name: "String" };

interface ValidationError {
  readonly message: string;
  /** The field that exists, because something of it is missing: its selection or an argument. */
  readonly needs?: string;
}

const errorsOf = (response: ProbeResponse | undefined): ValidationError[] =>
  listMember(response?.json, "errors", 150).flatMap((error) => {
    const message = textMember(error, "message", 1_000);
    if (message === undefined) return [];
    const [, field] = SELECTION.exec(message) ?? ARGUMENT.exec(message) ?? [];
    return [{ message, ...(field !== undefined && { needs: field }) }];
  });

const SELECTION = /Field ["'](\w{1,80})["'] of type ["']([\w[\]!]{1,100})["'] must have a (?:sub)?selection/i;
const ARGUMENT =
  /Field ["'](\w{1,80})["'] argument ["'](\w{1,80})["'] of type ["']([\w[\]!]{1,100})["'] is required/i;

/** The names that an error suggests instead of one that does not exist. */
export const suggestionsIn = ({ message }: { readonly message: string }): string[] => {
  const [, suggested = ""] = /Did you mean (?:to use )?([^?]{1,400})\?/i.exec(message) ?? [];
  return /inline fragment/i.test(suggested) || !/cannot query field|doesn't exist on type/i.test(message)
    ? []
    : [...suggested.matchAll(/["'`](\w{1,80})["'`]/g)].map(([, name]) => name!);
};

const unknownIn = ({ message }: ValidationError): string[] =>
  [...message.matchAll(/Cannot query field ["'](\w{1,80})["']/gi)].map(([, name]) => name!);

function describe(field: string, errors: readonly ValidationError[]) {
  const own = errors.filter(({ needs }) => needs === field);
  const type = own.map(({ message }) => SELECTION.exec(message)?.[2]).find((each) => each !== undefined);
  const args = own.flatMap(({ message }) => {
    const [, , name, written] = ARGUMENT.exec(message) ?? [];
    return name === undefined || written === undefined ? [] : [{ name, type: typeOf(written) }];
  });
  return {
    type: {
      isObject: type !== undefined,
      named: namedIn(type ?? ""),
      written: type === undefined ? TEXT : typeOf(type, "OBJECT"),
    },
    args: [...new Map(args.map((each) => [each.name, each])).values()],
  };
}

const namedIn = (written: string): string => written.replace(/[[\]!]/g, "");

/** `[User!]!` in the form of an introspection. */
function typeOf(written: string, kind = "SCALAR"): object {
  if (written.endsWith("!")) return { kind: "NON_NULL", ofType: typeOf(written.slice(0, -1), kind) };
  if (written.startsWith("[")) return { kind: "LIST", ofType: typeOf(written.slice(1, -1), kind) };
  return { kind, name: written };
}
