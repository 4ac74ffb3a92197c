import { apiDocument } from "../../../../scanner-job/src/testing/api-document.ts";
import type { FakeResponse, Incoming, Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import type { Routes } from "../row.ts";
import { randomFrom, type Random } from "./random.ts";
import { styleFrom, type Style } from "./style.ts";

/** One API, served to everybody and behind credentials. */
export interface Twin {
  readonly label: string;
  readonly document: object;
  readonly open: Routes;
  readonly guarded: Routes;
}

interface Collection {
  readonly path: string;
  readonly idName: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly rows: Record<string, unknown>[];
}

interface Field {
  readonly schema: object;
  readonly value: (random: Random) => unknown;
  readonly isValid: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const FIELDS: readonly Field[] = [
  { schema: { type: "string" }, value: (random) => `${random.word()} ${random.word()}`, isValid: isText },
  { schema: { type: "integer" }, value: (random) => random.number(5_000), isValid: Number.isInteger },
  {
    schema: { type: "boolean" },
    value: (random) => random.pick([true, false]),
    isValid: (value) => typeof value === "boolean",
  },
];
const OF_PEOPLE: readonly Field[] = [
  {
    schema: { type: "string", format: "email" },
    value: (random) => `${random.word()}.${random.word()}@${random.word()}.com`,
    isValid: (value) => typeof value === "string" && /^\S+@\S+\.\S+$/.test(value),
  },
  {
    schema: { type: "string" },
    value: (random) => `+4930${random.text(7, "0123456789")}`,
    isValid: (value) => typeof value === "string" && /^\+\d+$/.test(value),
  },
];

/** The twins of a seed. What they are named and hold has nothing in common with what checks look for. */
export function twinOf(seed: number): Twin {
  const random = randomFrom(seed);
  const style = styleFrom(random);
  const collections = Array.from({ length: 2 + random.number(2) }, () => collectionFrom(random, style));
  const open = Object.assign({}, ...collections.map((each) => routesOf(each, style))) as Routes;
  const credential = random.text(32, "abcdefghijklmnopqrstuvwxyz0123456789");
  const alive: Routes = { [`GET /${random.word()}`]: { json: { status: "up" } } };
  return {
    label: style.label,
    document: documentOf(collections, style),
    open: { ...alive, ...open, "* *": style.error(404, "No such path") },
    guarded: {
      ...alive,
      ...Object.fromEntries(
        Object.entries(open).map(([key, route]) => [key, guarded(route, style, credential)]),
      ),
      "* *": style.error(404, "No such path"),
    },
  };
}

function collectionFrom(random: Random, style: Style): Collection {
  const words = (): string => style.name([random.word(), random.word()]);
  const kinds = [
    FIELDS[0]!,
    ...Array.from({ length: 2 + random.number(3) }, () => random.pick(FIELDS)),
    ...(style.holdsPeople ? OF_PEOPLE : []),
  ];
  const fields = Object.fromEntries(kinds.map((field) => [words(), field]));
  const idName = "id";
  const rows = Array.from({ length: 4 }, (_, position) => ({
    [idName]: style.newId(position),
    ...Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value(random)])),
  }));
  return { path: `${style.prefix}/${words()}`, idName, fields, rows };
}

function routesOf({ path, idName, fields, rows }: Collection, style: Style): Routes {
  const at = ({ params }: Incoming): Record<string, unknown> | undefined =>
    rows.find((row) => String(row[idName]) === decodeURIComponent(params["key"] ?? ""));
  const missing = style.error(404, "No such record");
  const onOne =
    (respond: (row: Record<string, unknown>, incoming: Incoming) => FakeResponse): Route =>
    (incoming) => {
      const row = at(incoming);
      return row ? respond(row, incoming) : missing;
    };
  const accepting = (
    incoming: Incoming,
    store: (values: Record<string, unknown>) => FakeResponse,
  ): FakeResponse => {
    const values = parsed(incoming.body);
    return values && Object.entries(fields).every(([name, { isValid }]) => isValid(values[name]))
      ? store(Object.fromEntries(Object.keys(fields).map((name) => [name, values[name]])))
      : style.error(422, "Invalid body");
  };
  return {
    [`GET ${path}`]: () => ({ json: style.list(rows) }),
    [`GET ${path}/{key}`]: onOne((row) => ({ json: style.object(row) })),
    [`POST ${path}`]: (incoming) =>
      accepting(incoming, (values) => {
        const row = { [idName]: style.newId(rows.length), ...values };
        rows.push(row);
        return { status: 201, json: style.object(row) };
      }),
    [`PUT ${path}/{key}`]: onOne((row, incoming) =>
      accepting(incoming, (values) => ({ json: style.object(Object.assign(row, values)) })),
    ),
    [`DELETE ${path}/{key}`]: onOne((row) => {
      rows.splice(rows.indexOf(row), 1);
      return { status: 204 };
    }),
  };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const guarded =
  (route: Route, style: Style, credential: string): Route =>
  (incoming) => {
    if (style.authentication.presents(incoming, credential))
      return typeof route === "function" ? route(incoming) : route;
    const refusal = style.error(401, "No access");
    return { ...refusal, headers: { ...refusal.headers, ...style.authentication.challenge } };
  };

function documentOf(collections: readonly Collection[], style: Style): object {
  const paths = collections.map(({ path, idName, fields, rows }) => {
    const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]));
    const written = { type: "object", required: Object.keys(properties), properties };
    const row = { type: "object", properties: { [idName]: {}, ...properties } };
    const json = (schema: object): object => ({ content: { "application/json": { schema } } });
    const responses = (schema: object): object => ({ 200: { description: "", ...json(schema) } });
    const body = { requestBody: { required: true, ...json(written) } };
    const key = { name: "key", in: "path", required: true };
    const type = typeof rows[0]![idName] === "number" ? "integer" : "string";
    return {
      [path]: {
        get: { responses: responses({}) },
        post: { ...body, responses: { 201: { description: "" } } },
      },
      [`${path}/{key}`]: {
        parameters: [{ ...key, schema: { type } }],
        get: { responses: responses(row) },
        put: { ...body, responses: responses(row) },
        delete: { responses: { 204: { description: "" } } },
      },
    };
  });
  const security = style.isDeclared
    ? {
        security: [{ credential: [] }],
        components: { securitySchemes: { credential: style.authentication.scheme } },
      }
    : {};
  return apiDocument(Object.assign({}, ...paths) as Record<string, object>, security);
}
