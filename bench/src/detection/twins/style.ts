import type { FakeResponse, Incoming } from "../../../../scanner-job/src/testing/fake-api.ts";
import type { Random } from "./random.ts";

/** How an API is written, regardless of its subject: one choice of each part. */
export interface Style {
  /** In front of every path. */
  readonly prefix: string;
  readonly name: (words: readonly string[]) => string;
  readonly list: (rows: readonly object[]) => unknown;
  readonly object: (row: object) => unknown;
  readonly error: (status: number, text: string) => FakeResponse;
  readonly newId: (position: number) => string | number;
  readonly authentication: Authentication;
  /** The document says that credentials are needed, on both sides. */
  readonly isDeclared: boolean;
  /** Records of people instead of things. */
  readonly holdsPeople: boolean;
  /** What the choices are called, for the table. */
  readonly label: string;
}

interface Authentication {
  readonly scheme: object;
  readonly challenge: Readonly<Record<string, string>>;
  readonly presents: (request: Incoming, credential: string) => boolean;
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

const NAMINGS = {
  kebab: (words: readonly string[]) => words.join("-"),
  snake: (words: readonly string[]) => words.join("_"),
  camel: ([first = "", ...rest]: readonly string[]) => first + rest.map(capital).join(""),
  pascal: (words: readonly string[]) => words.map(capital).join(""),
};

const ENVELOPES: Record<string, (word: string) => Pick<Style, "list" | "object">> = {
  bare: () => ({ list: (rows) => rows, object: (row) => row }),
  data: () => ({ list: (rows) => ({ data: rows, total: rows.length }), object: (row) => ({ data: row }) }),
  "own word": (word) => ({
    list: (rows) => ({ [word]: rows, next: null }),
    object: (row) => ({ [word]: row }),
  }),
};

const ERRORS: Record<string, Style["error"]> = {
  "{error}": (status, error) => ({ status, json: { error } }),
  "{code, message}": (status, message) => ({ status, json: { code: status * 10, message } }),
  problem: (status, title) => ({
    status,
    headers: { "content-type": "application/problem+json" },
    json: { type: "about:blank", title, status },
  }),
  text: (status, body) => ({ status, body }),
};

const HEX = "0123456789abcdef";
const idKinds = (random: Random): Record<string, Style["newId"]> => ({
  integer: (position) => 17 + position * 3,
  uuid: () =>
    [8, 4, 3, 3, 12]
      .map((length, part) => (part === 2 ? "4" : part === 3 ? "a" : "") + random.text(length, HEX))
      .join("-"),
  word: () => `${random.word()}-${random.word()}`,
  prefixed: () => `${random.text(2, "kqxz")}_${random.text(14, "abcdefghjkmnpqrstuvwxyz23456789")}`,
});

const authentications = (random: Random): Record<string, Authentication> => {
  const name = `x-${random.word()}`;
  const scheme = (http: string): object => ({ type: "http", scheme: http });
  return {
    bearer: {
      scheme: scheme("bearer"),
      challenge: { "www-authenticate": "Bearer" },
      presents: ({ headers }, credential) => headers.authorization === `Bearer ${credential}`,
    },
    basic: {
      scheme: scheme("basic"),
      challenge: { "www-authenticate": 'Basic realm="api"' },
      presents: ({ headers }, credential) =>
        headers.authorization === `Basic ${Buffer.from(`api:${credential}`).toString("base64")}`,
    },
    "key in a header": {
      scheme: { type: "apiKey", in: "header", name },
      challenge: {},
      presents: ({ headers }, credential) => headers[name] === credential,
    },
    cookie: {
      scheme: { type: "apiKey", in: "cookie", name },
      challenge: {},
      presents: ({ headers }, credential) => headers.cookie === `${name}=${credential}`,
    },
  };
};

/** One choice of each part. */
export function styleFrom(random: Random): Style {
  const choose = <Part>(parts: Readonly<Record<string, Part>>): [string, Part] =>
    random.pick(Object.entries(parts));
  const [naming, name] = choose<Style["name"]>(NAMINGS);
  const [envelope, enveloped] = choose(ENVELOPES);
  const [errors, error] = choose(ERRORS);
  const [ids, newId] = choose(idKinds(random));
  const [authenticated, authentication] = choose(authentications(random));
  const isDeclared = random.pick([true, false]);
  const holdsPeople = random.pick([true, false]);
  return {
    prefix: random.pick(["", "/v1", `/${random.word()}/v2`]),
    ...{ name, error, newId, authentication, isDeclared, holdsPeople },
    ...enveloped(random.word()),
    label: [
      ...[naming, envelope, errors, `${ids} ids`, authenticated],
      isDeclared ? "declared" : "undeclared",
      holdsPeople ? "people" : "things",
    ].join(", "),
  };
}
