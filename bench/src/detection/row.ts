import type { TlsOptions } from "node:tls";
import type { FakeResponse, Incoming, Route } from "../../../scanner-job/src/testing/fake-api.ts";

/** Routes of a target, as `fakeApi` takes them: the first that fits responds. */
export type Routes = Readonly<Record<string, Route>>;

export type Side = "weak" | "safe";

/** What the server of one side is, where the weakness is one of the whole host. */
export interface Host {
  /** Instead of a certificate that the scanner knows. */
  readonly tls?: TlsOptions;
  /** The authority that the scanner knows; PEM; default: the benchmark's. */
  readonly caPem?: string;
  /** What requests without TLS get on the same port; nothing unless given. */
  readonly plain?: Routes;
  /** The name by which it is scanned; 127.0.0.1 unless given. */
  readonly name?: string;
  /** The document's. */
  readonly servers?: readonly string[];
  /** The document's security schemes, instead of a bearer token. */
  readonly securitySchemes?: Readonly<Record<string, object>>;
  /** The document is not given to the scanner. */
  readonly documentIsNotGiven?: true;
}

/** One weakness of a labelled target, and the same location without it. */
export interface Row {
  /** Any of these checks proves it. */
  readonly checks: readonly string[];
  /** Method and path where it is to be reported, as the document writes it: `GET /shelves/{shelfId}`. */
  readonly at: string;
  /** Path items of the OpenAPI document; nothing where the location is not in the document. */
  readonly document?: Readonly<Record<string, object>>;
  /** The safe side's path items, where the weakness is in the document itself. */
  readonly safeDocument?: Readonly<Record<string, object>>;
  readonly weak: Routes;
  readonly safe: Routes;
  /** Such a row is a separate target, with nothing in front. */
  readonly host?: Readonly<Record<Side, Host>>;
  /** Checks that are also right about the weak side, at any of its locations, each with the reason. */
  readonly alsoTrue?: Readonly<Record<string, string>>;
}

export const unauthorized: FakeResponse = { status: 401, json: { error: "Unauthorized" } };
export const forbidden: FakeResponse = { status: 403, json: { error: "Forbidden" } };
export const notFound: FakeResponse = { status: 404, json: { error: "Not found" } };
export const invalid: FakeResponse = { status: 400, json: { error: "Invalid value" } };

const TEXT = { type: "string" };

/** A GET with one query parameter. */
export const reading = (name: string, more: object = {}): object => ({
  get: { parameters: [{ name, in: "query", schema: TEXT, ...more }] },
});

/** An operation that takes a JSON object of texts. */
export const taking = (...names: string[]): object => ({
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: { type: "object", properties: Object.fromEntries(names.map((name) => [name, TEXT])) },
      },
    },
  },
});

/** An operation that the document calls public. */
export const open = { security: [] };

/** An operation that asks for the document's bearer token. */
export const secured = (operation: object = {}): object => ({ ...operation, security: [{ bearer: [] }] });

/** Responds by the value of one query parameter. */
export const byQuery =
  (name: string, respond: (value: string) => FakeResponse): Route =>
  ({ query }) =>
    respond(query.get(name) ?? "");

/** Responds by the only path parameter. */
export const byPath =
  (respond: (value: string) => FakeResponse): Route =>
  ({ params }) =>
    respond(decoded(Object.values(params)[0] ?? ""));

/** Responds by the JSON object of the body; 400 where it is not one. */
export const byBody =
  (respond: (body: Readonly<Record<string, unknown>>, incoming: Incoming) => FakeResponse): Route =>
  (incoming) => {
    const body = parsed(incoming.body);
    return body === undefined ? invalid : respond(body, incoming);
  };

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
