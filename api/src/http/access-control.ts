import { ACCOUNT_REQUESTS_FACTOR, ApiError, PLANS } from "@glovebox/contract";
import { StoreUnavailable, type Principal, type Session } from "@glovebox/store";
import type { BatchWriter } from "../background/batch-writer.ts";
import type { ApiKeyCache } from "../keys/api-key-cache.ts";
import { countClient } from "../limits/client-network.ts";
import { rateState, tighter, type RateCounter, type RateState } from "../limits/rate-limit.ts";
import type { ApiRequest, RequestContext } from "./request-context.ts";
import type { Access, Operation } from "./route.ts";

export interface AccessControlDeps {
  readonly operations: readonly Pick<Operation, "path" | "access">[];
  readonly apiKeys: ApiKeyCache;
  /** The session of a request's cookie. */
  readonly sessionOf: (headers: ApiRequest["headers"]) => Promise<Session | undefined>;
  /** When each key was used last, by its id. */
  readonly lastUsed: Pick<BatchWriter<Date>, "add">;
  readonly counter: RateCounter;
  /** How many requests one with a session stands for: a batch counts its calls. */
  readonly callsIn: (path: string) => number;
  /** Requests a minute of one address. */
  readonly addressLimit: number;
  readonly now: () => Date;
}

export type AccessControl = (req: ApiRequest, context: RequestContext) => Promise<void>;

/**
 * Authenticates a request and counts it against the rate limits of its key and account or of its user, or else of its address: the
 * limit of an address does not affect clients with a valid key or session. The result is in the request context.
 */
export function createAccessControl(deps: AccessControlDeps): AccessControl {
  const accessOf = accessByPath(deps.operations);
  return async (req, context) => {
    const access = accessOf(req.path);
    if (access === "key") await admitKey(deps, req, context);
    else if (access === "session") await admitSession(deps, req, context);
    else if (access === "public") await countAddress(deps, context);
  };
}

/** Calls a minute of one user of the dashboard: a page makes a few, and one with live progress asks every ten seconds. */
const USER_LIMIT = 600;

/**
 * The access that a path requires, whether or not it exists: by default all of /v1 needs a key, so that others cannot enumerate
 * paths. All others, such as the pages of the dashboard, are counted against the user where there is a session.
 * @internal
 */
export function accessByPath(operations: AccessControlDeps["operations"]): (path: string) => Access {
  const open = operations.filter(({ access }) => access !== "key" && access !== "session");
  const exact = new Map(operations.map(({ path, access }) => [path, access]));
  const prefixes = open.filter(({ path }) => path.includes("{")).map(({ path }) => path.split("{")[0]!);
  return (path) => {
    const access = exact.get(path);
    if (access) return access;
    if (prefixes.some((prefix) => path.startsWith(prefix))) return "public";
    return path === "/v1" || path.startsWith("/v1/") ? "key" : "session";
  };
}

async function admitKey(deps: AccessControlDeps, req: ApiRequest, context: RequestContext): Promise<void> {
  const principal = await authenticate(deps, req, context);
  if (!principal) {
    await countAddress(deps, context);
    throw unauthorized(req);
  }
  const now = deps.now();
  context.principal = principal;
  deps.lastUsed.add(principal.keyId, now);
  const limit = principal.account.requestsPerMinute ?? PLANS[principal.account.plan].requestsPerMinute;
  const [ofKey, ofAccount] = await Promise.all([
    deps.counter.count(`key:${principal.keyId}`),
    deps.counter.count(`account:${principal.account.id}`),
  ]);
  context.rate = tighter(
    rateState(ofKey, limit, now),
    rateState(ofAccount, limit * ACCOUNT_REQUESTS_FACTOR, now),
  );
  refuseExceeded(context.rate, "The plan's request limit for this minute is reached.");
  requireActive(principal);
  context.recheckAccess = () => recheckKey(deps, req);
}

function requireActive({ account }: Principal): void {
  if (account.suspendedAt)
    throw new ApiError("forbidden", "The account is suspended; ask the administrator of this service.");
}

/** During an outage of the database, the key stays accepted: nothing is known against it. */
async function recheckKey({ apiKeys }: AccessControlDeps, req: ApiRequest): Promise<void> {
  const token = bearerToken(req.headers.authorization) ?? "";
  const principal = await apiKeys.principalOf(token).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return "unknown" as const;
    throw error;
  });
  if (principal === "unknown") return;
  if (!principal) throw unauthorized(req);
  requireActive(principal);
}

/** Without a session the request goes on: what it gets is decided there. */
async function admitSession(
  deps: AccessControlDeps,
  req: ApiRequest,
  context: RequestContext,
): Promise<void> {
  context.session = await readOr(deps.sessionOf(req.headers), () => countAddress(deps, context));
  if (!context.session) return countAddress(deps, context);
  const count = await deps.counter.count(`user:${context.session.user.id}`, deps.callsIn(req.path));
  context.rate = rateState(count, USER_LIMIT, deps.now());
  refuseExceeded(context.rate, "Too many requests from this user within a minute.");
}

async function countAddress(deps: AccessControlDeps, context: RequestContext): Promise<void> {
  const { counter, addressLimit: limit } = deps;
  context.rate = await countClient(counter, context, { limit, now: deps.now() });
  refuseExceeded(context.rate, ADDRESS_LIMIT_EXCEEDED);
}

/** What is read. If it cannot be, the request is counted before the error goes on: an outage lifts no limit. */
async function readOr<T>(reading: Promise<T>, count: () => Promise<void>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    await count();
    throw error;
  }
}

/** The principal of the request. */
async function authenticate(
  deps: AccessControlDeps,
  req: ApiRequest,
  context: RequestContext,
): Promise<Principal | undefined> {
  const token = bearerToken(req.headers.authorization);
  if (token === undefined) return undefined;
  return readOr(deps.apiKeys.principalOf(token), () => countAddress(deps, context));
}

/**
 * The token of an `Authorization: Bearer` header (RFC 6750, section 2.1; the scheme's case does not matter,
 * RFC 9110, section 11.1). Undefined when the header is missing or of another form.
 * @internal
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (!authorization) return undefined;
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1];
}

export const ADDRESS_LIMIT_EXCEEDED = "Too many requests without a valid key from this address.";

function refuseExceeded({ exceeded, retryAfter }: RateState, message: string): void {
  if (!exceeded) return;
  throw new ApiError("rate_limit_exceeded", message, { headers: { "Retry-After": String(retryAfter) } });
}

/** RFC 6750, section 3: the error code only where a token was presented. */
function unauthorized(req: ApiRequest): ApiError {
  const presented = req.headers.authorization !== undefined;
  const message = presented
    ? "The API key is malformed, unknown, expired or revoked."
    : "An API key is required: Authorization: Bearer <API_KEY>.";
  const challenge = presented ? 'Bearer realm="glovebox", error="invalid_token"' : 'Bearer realm="glovebox"';
  return new ApiError("unauthorized", message, { headers: { "WWW-Authenticate": challenge } });
}
