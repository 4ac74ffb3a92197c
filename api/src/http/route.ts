import { ApiError, type ErrorCode, type Scope } from "@glovebox/contract";
import { apiKeyActor, type Actor, type Principal } from "@glovebox/store";
import type * as z from "zod";
import type { ApiRequest, ApiResponse } from "./request-context.ts";
import { fieldPath, readJsonBody } from "./request-body.ts";
import type { HttpResponse } from "./respond.ts";

/**
 * The access of a path: `probe` everyone, without a rate limit; `public` everyone, limited by address; `key` clients with an API
 * key; `session` users who are signed in.
 */
export type Access = "probe" | "public" | "key" | "session";

export type RouteHandler<Request, Services> = (
  request: Request,
  services: Services,
) => HttpResponse | undefined | Promise<HttpResponse | undefined>;

/** The documentation and access of an operation. */
export interface Operation {
  readonly operationId: string;
  readonly method: "get" | "post" | "patch" | "delete";
  /** OpenAPI path template, from the root. */
  readonly path: string;
  readonly access: Access;
  /** Required of keys that have scopes. */
  readonly scope?: Scope;
  readonly summary?: string;
  readonly description?: string;
  /** Path parameters. If they are invalid, the response is 404 with the message of the schema. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Error codes of body fields; the default is `invalid_request`. */
  readonly fieldErrors?: Readonly<Record<string, ErrorCode>>;
  readonly response?: ResponseDescription;
  /** Errors of this operation, beside those that its access implies. */
  readonly errors?: readonly ErrorCode[];
}

export interface ResponseDescription {
  readonly status: 200 | 204;
  readonly description: string;
  readonly content?: { readonly type: string | readonly string[]; readonly schema?: z.ZodType };
  readonly headers?: readonly ("Location" | "Retry-After" | "Preference-Applied" | "Content-Disposition")[];
}

/** An operation and its handler. One without a `response` is not documented. */
export interface Route<Services> extends Operation {
  /** The response; undefined if it has been written, or the client has disconnected. */
  readonly handle: (
    req: ApiRequest,
    res: ApiResponse,
    services: Services,
  ) => Promise<HttpResponse | undefined>;
}

/** A request, parsed by the schemas of its route. */
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
  /** Who changes something, for the audit log. */
  readonly actor: A extends "key" ? Actor : undefined;
  readonly method: string;
  /** For streams, and to detect that the client has disconnected. */
  readonly res: ApiResponse;
}

type NoParameters = z.ZodObject<Record<string, never>>;

/**
 * Defines an operation: the schemas that document its parameters and body also parse them, and `handler` receives the result.
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
        actor: actorOf(res),
        method: req.method,
        res,
      };
      return handler(parsed as RouteRequest<A, Params, Query, Headers, Body>, services);
    },
  };
}

function actorOf(res: ApiResponse): Actor | undefined {
  const { principal, address: ip, requestId } = res.locals.context;
  return principal && apiKeyActor(principal, { ip, requestId });
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
 * The parameters of a URL's query. Unknown parameters are ignored, because `/v1` only adds.
 * @throws ApiError `invalid_request`
 * @internal
 */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, url: string): z.output<Schema> {
  const start = url.indexOf("?");
  if (start < 0) return parseInput(schema, {});
  const query = new URLSearchParams(url.slice(start));
  const repeated = Object.keys(schema.shape).find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined)
    throw new ApiError("invalid_request", "occurs more than once", { field: repeated });
  return parseInput(schema, Object.fromEntries(query));
}

/** Schemas have header names as documented; node:http has them in lower case, and joins repeated headers. */
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
  if (unknown)
    throw new ApiError("invalid_request", "is not a known field", {
      field: fieldPath([...unknown.path, unknown.keys[0]!]),
    });
  const { path, message } = issues[0]!;
  const field = path.length === 0 ? "body" : fieldPath(path);
  throw new ApiError((Object.hasOwn(codes, field) && codes[field]) || "invalid_request", message, { field });
}
