import { isObject, listMember, member, textMember, type JsonObject } from "../../json.ts";
import { discoveredOperation, type OperationFacts, type Parameter } from "../operation.ts";
import { valueFor } from "../openapi/values.ts";
import { asText } from "../serialization.ts";
import { signInFields } from "../sign-in.ts";

const TYPE = "kind name ofType{kind name ofType{kind name ofType{kind name}}}";

/** What is asked of a schema: its types with their fields and arguments, without descriptions. */
export const INTROSPECTION = `{__schema{queryType{name} mutationType{name} types{kind name fields{name type{${TYPE}} args{name type{${TYPE}}}} inputFields{name type{${TYPE}}} enumValues{name}}}}`;

const MAX_QUERIES = 200;
const MAX_ARGUMENTS = 10;
const MAX_SELECTED = 15;
const MAX_TYPES = 3_000;

/** Names of GraphQL (October 2021, 2.1.9): nothing else that a schema names gets into a query. */
const isName = (name: unknown): name is string =>
  typeof name === "string" && /^[_A-Za-z]\w{0,99}$/.test(name);

/**
 * The fields of the query type of an introspected schema, each as an operation that reads: a query for it, with its arguments as
 * variables and parameters; and the mutations that sign in. Other mutations and subscriptions are none. `[]` where the response
 * shows no schema.
 */
export const graphqlOperations = (schema: unknown, path: string): OperationFacts[] => [
  ...fieldsOf(schema, "query", path),
  ...graphqlMutations(schema, path).filter((facts) => signInFields(facts)),
];

/** The fields of the mutation type, each as an operation that writes. */
export const graphqlMutations = (schema: unknown, path: string): OperationFacts[] =>
  fieldsOf(schema, "mutation", path);

function fieldsOf(schema: unknown, kind: Kind, path: string): OperationFacts[] {
  const types = typesIn(schema);
  const defaultName = kind === "query" ? "Query" : "Mutation";
  const root = types.get(textMember(member(schema, `${kind}Type`), "name") ?? defaultName);
  return listMember(root, "fields", MAX_QUERIES).flatMap((field) => {
    const name = member(field, "name");
    return isObject(field) && isName(name) ? [operationFor(types, { kind, name, field, path })] : [];
  });
}

type Kind = "query" | "mutation";

type Types = ReadonlyMap<string, JsonObject>;

function typesIn(schema: unknown): Types {
  return new Map(
    listMember(schema, "types", MAX_TYPES).flatMap((type): [string, JsonObject][] => {
      const name = member(type, "name");
      return isObject(type) && isName(name) ? [[name, type]] : [];
    }),
  );
}

function operationFor(
  types: Types,
  { kind, name, field, path }: { kind: Kind; name: string; field: JsonObject; path: string },
): OperationFacts {
  const passed = argumentsOf(types, name, field);
  const inBrackets = (list: readonly string[]): string => (list.length > 0 ? `(${list.join(",")})` : "");
  const declared = inBrackets(passed.map(({ variable, written }) => `$${variable}:${written}`));
  const given = inBrackets(passed.map(({ variable }) => `${variable}:$${variable}`));
  const query = `${kind}${declared}{${name}${given}${selection(types, member(field, "type"), 2)}}`;
  const needed = passed.filter(({ written }) => written.endsWith("!"));
  const variables = Object.fromEntries(needed.map(({ variable, value }) => [variable, value]));
  return discoveredOperation({
    method: "POST",
    path,
    operationId: name,
    parameters: passed.flatMap(({ parameters }) => parameters),
    body: {
      mediaType: "application/json",
      required: true,
      sample: { query, variables },
      fields: [],
      closed: true,
    },
    graphqlField: name,
    ...(kind === "mutation" && { graphqlMutation: true }),
  });
}

interface Argument {
  readonly variable: string;
  /** Its type as a query writes it: `[ID!]!`. */
  readonly written: string;
  readonly value: unknown;
  /** The argument itself, or the scalars in it: `search.filter.term`, `search.tags[]`. */
  readonly parameters: readonly Parameter[];
}

function argumentsOf(types: Types, field: string, owner: JsonObject): Argument[] {
  return listMember(owner, "args", MAX_ARGUMENTS).flatMap((argument) => {
    const [variable, type] = [member(argument, "name"), member(argument, "type")];
    const written = writtenType(type);
    if (!isName(variable) || written === undefined) return [];
    const value = valueOf(types, type, { name: variable, levels: 4 });
    return [
      {
        variable,
        written,
        value,
        parameters: scalarsIn(types, type, { name: `${field}.${variable}`, levels: 3 }),
      },
    ];
  });
}

function scalarsIn(
  types: Types,
  type: unknown,
  { name, levels }: { name: string; levels: number },
): Parameter[] {
  const named = types.get(innermost(type));
  const path = isList(type) ? `${name}[]` : name;
  if (member(named, "kind") === "INPUT_OBJECT") {
    if (levels === 0) return [];
    return listMember(named, "inputFields", 30)
      .flatMap((each) => {
        const key = member(each, "name");
        return isName(key)
          ? scalarsIn(types, member(each, "type"), { name: `${path}.${key}`, levels: levels - 1 })
          : [];
      })
      .slice(0, MAX_ARGUMENTS);
  }
  const choices = listMember(named, "enumValues", 50).flatMap((choice) => textMember(choice, "name") ?? []);
  const value = scalarValue(types, type, name.slice(name.lastIndexOf(".") + 1));
  return [
    {
      name: path,
      in: "graphql",
      required: isNeeded(type),
      type: SCALARS[innermost(type)] ?? "string",
      ...(choices.length > 0 ? { enum: choices } : {}),
      sample: asText(value ?? ""),
      sampleIsDeclared: false,
    },
  ];
}

/** Undefined where it names no type, or is nested deeper than the introspection asked. */
function writtenType(type: unknown): string | undefined {
  const kind = member(type, "kind");
  const inner = kind === "NON_NULL" || kind === "LIST" ? writtenType(member(type, "ofType")) : undefined;
  if (kind === "NON_NULL") return inner === undefined ? undefined : `${inner}!`;
  if (kind === "LIST") return inner === undefined ? undefined : `[${inner}]`;
  const name = member(type, "name");
  return isName(name) ? name : undefined;
}

const isNeeded = (type: unknown): boolean => member(type, "kind") === "NON_NULL";

function innermost(type: unknown): string {
  const inner = member(type, "ofType");
  return isObject(inner) ? innermost(inner) : (textMember(type, "name") ?? "");
}

const isList = (type: unknown): boolean =>
  member(type, "kind") === "LIST" || (isNeeded(type) && isList(member(type, "ofType")));

const SCALARS: Readonly<Record<string, Parameter["type"]>> = {
  Int: "integer",
  Float: "number",
  Boolean: "boolean",
};

/** A value for a variable: of an input object the members that must be there. */
function valueOf(types: Types, type: unknown, { name, levels }: { name: string; levels: number }): unknown {
  if (levels === 0) return null;
  if (isNeeded(type)) return valueOf(types, member(type, "ofType"), { name, levels });
  if (member(type, "kind") === "LIST")
    return [valueOf(types, member(type, "ofType"), { name, levels: levels - 1 })];
  const named = types.get(innermost(type));
  if (member(named, "kind") !== "INPUT_OBJECT") return scalarValue(types, type, name);
  const members = listMember(named, "inputFields", 30).filter((each) => isNeeded(member(each, "type")));
  return Object.fromEntries(
    members.flatMap((each) => {
      const key = member(each, "name");
      return isName(key) && key !== "__proto__"
        ? [[key, valueOf(types, member(each, "type"), { name: key, levels: levels - 1 })]]
        : [];
    }),
  );
}

function scalarValue(types: Types, type: unknown, name: string): unknown {
  const scalar = innermost(type);
  const [choice] = listMember(types.get(scalar), "enumValues", 1);
  if (choice !== undefined) return textMember(choice, "name");
  return scalar === "ID" ? "1" : valueFor({ type: SCALARS[scalar] ?? "string" }, name);
}

/** The scalar fields of what a query returns, and of the objects in it, none that needs arguments. */
function selection(types: Types, type: unknown, levels: number): string {
  const named = types.get(innermost(type));
  const kind = member(named, "kind");
  if (kind === "UNION" || kind === "INTERFACE") return "{__typename}";
  if (kind !== "OBJECT") return "";
  const fields = listMember(named, "fields", 60).flatMap((field) => {
    const name = member(field, "name");
    if (!isName(name) || listMember(field, "args").some((each) => isNeeded(member(each, "type")))) return [];
    const inner = types.get(innermost(member(field, "type")));
    const isLeaf = inner === undefined || ["SCALAR", "ENUM"].includes(String(member(inner, "kind")));
    if (isLeaf) return [name];
    const nested = levels > 1 ? selection(types, member(field, "type"), levels - 1) : "";
    return nested === "" ? [] : [name + nested];
  });
  return `{${fields.slice(0, MAX_SELECTED).join(" ") || "__typename"}}`;
}
