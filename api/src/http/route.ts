import { ApiError, type ErrorCode, type Scope } from "@glovebox/contract";
import type { Principal } from "@glovebox/store";
import type * as z from "zod";
import type { ApiRequest, ApiResponse } from "./request-context.ts";
import { fieldName, readJsonBody } from "./json-body.ts";
import type { Reply } from "./respond.ts";

/** Who may use a path: `probe` anyone, without a limit; `public` anyone, limited by address; `key` who presents an API key. */
export type Access = "probe" | "public" | "key";

export type RouteHandler<Request, Services> = (
  request: Request,
  services: Services,
) => Reply | undefined | Promise<Reply | undefined>;

/** The documentation of an operation, and who may use it. */
export interface Operation {
  readonly operationId: string;
  readonly method: "get" | "post" | "delete";
  /** OpenAPI path template, from the root. */
  readonly path: string;
  readonly access: Access;
  /** What a key that has scopes needs. */
  readonly scope?: Scope;
  readonly summary?: string;
  readonly description?: string;
  /** A path whose parameters do not satisfy it is answered 404, with the message of the schema. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Codes of the body's fields that have one of their own; the others' is `invalid_request`. */
  readonly fieldErrors?: Readonly<Record<string, ErrorCode>>;
  readonly response?: ResponseDescription;
  /** Those of this operation; what any request can meet is added by its access. */
  readonly errors?: readonly ErrorCode[];
}

export interface ResponseDescription {
  readonly status: 200 | 204;
  readonly description: string;
  readonly content?: { readonly type: string; readonly schema?: z.ZodType };
  readonly headers?: readonly ("Location" | "Retry-After" | "Preference-Applied")[];
}

/** An operation, and how a request for it is answered. One without a `response` is no part of the documented interface. */
export interface Route<Services> extends Operation {
  /** The reply; undefined when the response was written already, or the client has gone. */
  readonly handle: (req: ApiRequest, res: ApiResponse, services: Services) => Promise<Reply | undefined>;
}

/** A request as its route's schemas give it. */
export interface RouteRequest<
  A extends Access,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Headers extends z.ZodObject,
  Body extends z.ZodType,
> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly headers: z.output<Headers>;
  readonly body: z.output<Body>;
  readonly principal: A extends "key" ? Principal : undefined;
  readonly method: string;
  /** For what outlives a reply: streams, and to notice that the client has gone. */
  readonly res: ApiResponse;
}

type NoParameters = z.ZodObject<Record<string, never>>;

/**
 * One operation in one place: the schemas that document its parameters and body are those that parse them, and
 * `handler` is given what they return.
 */
export function createRoute<
  A extends Access,
  Services,
  Params extends z.ZodObject = NoParameters,
  Query extends z.ZodObject = NoParameters,
  Headers extends z.ZodObject = NoParameters,
  Body extends z.ZodType = z.ZodUndefined,
>(
  route: Operation & {
    readonly access: A;
    readonly params?: Params;
    readonly query?: Query;
    readonly headers?: Headers;
    readonly body?: Body;
    readonly handler: RouteHandler<RouteRequest<A, Params, Query, Headers, Body>, Services>;
  },
): Route<Services> {
  const { handler, ...operation } = route;
  return {
    ...operation,
    async handle(req, res, services) {
      if (operation.scope) requireScope(res, operation.scope);
      const parsed = {
        params: parseParams(operation.params, req),
        query: operation.query && parseQuery(operation.query, req.url),
        headers: parseHeaders(operation.headers, req),
        body:
          operation.body && parseInput(operation.body, await readJsonBody(req, res), operation.fieldErrors),
        principal: res.locals.context.principal,
        method: req.method,
        res,
      };
      return handler(parsed as RouteRequest<A, Params, Query, Headers, Body>, services);
    },
  };
}

function requireScope(res: ApiResponse, scope: Scope): void {
  const { scopes = [] } = res.locals.context.principal ?? {};
  if (scopes.length > 0 && !scopes.includes(scope))
    throw new ApiError("forbidden", `The API key lacks the scope ${scope}.`);
}

function parseParams(schema: z.ZodObject | undefined, req: ApiRequest): object | undefined {
  const parsed = schema?.safeParse(req.params);
  if (parsed?.success === false) throw new ApiError("not_found", parsed.error.issues[0]!.message);
  return parsed?.data;
}

/**
 * The parameters of a URL's query. Those that the schema has not are ignored: /v1 only adds.
 * @throws ApiError `invalid_request`
 */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, url: string): z.output<Schema> {
  const start = url.indexOf("?");
  if (start < 0) return parseInput(schema, {});
  const query = new URLSearchParams(url.slice(start));
  const repeated = Object.keys(schema.shape).find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) throw new ApiError("invalid_request", `${repeated}: occurs more than once`);
  return parseInput(schema, Object.fromEntries(query));
}

/** Schemas name headers as the document shows them; node:http has them in lower case, and joins those that repeat. */
function parseHeaders(schema: z.ZodObject | undefined, req: ApiRequest): object | undefined {
  if (!schema) return undefined;
  const entries = Object.keys(schema.shape).map((name) => [name, req.headers[name.toLowerCase()]] as const);
  return parseInput(schema, Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

/** @throws ApiError that names the field and the reason, and repeats no value */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  codes: Operation["fieldErrors"] = {},
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const unknown = issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown) throw new ApiError("invalid_request", `${fieldName(unknown.keys[0]!)}: is not a known field`);
  const { path, message } = issues[0]!;
  const field = path.length === 0 ? "body" : path.join(".");
  throw new ApiError(
    (Object.hasOwn(codes, field) && codes[field]) || "invalid_request",
    `${field}: ${message}`,
  );
}
