import { randomUUID } from "node:crypto";
import { ApiError, PLANS } from "@glovebox/contract";
import type { Principal } from "@glovebox/store";
import type { NextFunction } from "express";
import type { ApiKeyCache } from "../keys/api-key-cache.ts";
import type { LastUsed } from "../keys/last-used.ts";
import { addressKey } from "../limits/client-address.ts";
import { rateState, uncounted, type RateCounter, type RateState } from "../limits/rate-limit.ts";
import type { ApiRequest, ApiResponse, RequestContext } from "./request-context.ts";

/** Who may use a path: anyone uncounted (probes), anyone counted by address, or who presents an API key. */
export type Access = "uncounted" | "address" | "key";

export interface AdmissionDeps extends Pick<RequestContext, "onResponse" | "isClosing"> {
  readonly accessOf: (path: string) => Access;
  readonly apiKeys: ApiKeyCache;
  readonly lastUsed: LastUsed;
  readonly counter: RateCounter;
  /** Requests a minute of one address. */
  readonly addressLimit: number;
  readonly now: () => Date;
}

/**
 * The first step of every request: gives it its context, authenticates it and counts it against the rate limit of its
 * key, or else of its address. A client with a valid key is never held up by what others do from its address.
 */
export function createAdmission(deps: AdmissionDeps) {
  const { accessOf, addressLimit, now, onResponse, isClosing } = deps;
  return async (req: ApiRequest, res: ApiResponse, next: NextFunction): Promise<void> => {
    const context: RequestContext = {
      requestId: randomUUID(),
      startedAt: performance.now(),
      route: "unmatched",
      rate: uncounted(addressLimit, now()),
      principal: undefined,
      onResponse,
      isClosing,
    };
    res.locals.context = context;
    const access = accessOf(req.path);
    if (access === "key") await admitKey(deps, req, context);
    else if (access === "address") await admitAddress(deps, req, context);
    refuseAmbiguousHeaders(req);
    next();
  };
}

async function admitKey(deps: AdmissionDeps, req: ApiRequest, context: RequestContext): Promise<void> {
  const principal = await authenticate(deps, req, context);
  if (!principal) {
    await admitAddress(deps, req, context);
    throw unauthorized(req);
  }
  const now = deps.now();
  context.principal = principal;
  deps.lastUsed.note(principal.keyId, now);
  const limit = principal.account.requestsPerMinute ?? PLANS[principal.account.plan].requestsPerMinute;
  context.rate = rateState(await deps.counter.count(`key:${principal.keyId}`), limit, now);
  refuseExceeded(context.rate, "The plan's requests of this minute are used up.");
}

async function admitAddress(deps: AdmissionDeps, req: ApiRequest, context: RequestContext): Promise<void> {
  const count = await deps.counter.count(addressKey(req.ip));
  context.rate = rateState(count, deps.addressLimit, deps.now());
  refuseExceeded(context.rate, "Too many requests without a valid key from this address.");
}

/** The principal; while keys cannot be looked up, the address is counted before the outage is answered. */
async function authenticate(
  deps: AdmissionDeps,
  req: ApiRequest,
  context: RequestContext,
): Promise<Principal | undefined> {
  const token = bearerToken(req.headers.authorization);
  if (token === undefined) return undefined;
  try {
    return await deps.apiKeys.principalOf(token);
  } catch (error) {
    await admitAddress(deps, req, context);
    throw error;
  }
}

/**
 * The token of an `Authorization: Bearer` header (RFC 6750, section 2.1; the scheme's case does not matter,
 * RFC 9110, section 11.1). Undefined when the header is missing or of another form.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (!authorization) return undefined;
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1];
}

function refuseExceeded({ exceeded, retryAfter }: RateState, message: string): void {
  if (!exceeded) return;
  throw new ApiError("rate_limit_exceeded", message, { "Retry-After": String(retryAfter) });
}

/** RFC 6750, section 3: the error code only where a token was presented. */
function unauthorized(req: ApiRequest): ApiError {
  const presented = req.headers.authorization !== undefined;
  const message = presented
    ? "The API key is malformed, unknown, expired or revoked."
    : "An API key is required: Authorization: Bearer <API_KEY>.";
  const challenge = presented ? 'Bearer realm="glovebox", error="invalid_token"' : 'Bearer realm="glovebox"';
  return new ApiError("unauthorized", message, { "WWW-Authenticate": challenge });
}

/**
 * Headers that make a request ambiguous (RFC 9112, section 3.2; RFC 9110, section 10.1.1).
 * @throws ApiError `invalid_request`
 */
function refuseAmbiguousHeaders(req: ApiRequest): void {
  if (req.httpVersionMinor === 1 && req.httpVersionMajor === 1 && req.headers.host === undefined)
    throw new ApiError("invalid_request", "Host: is required");
  // node:http keeps the first; a proxy in front may have gone by the last.
  if ((req.headersDistinct["host"]?.length ?? 0) > 1)
    throw new ApiError("invalid_request", "Host: occurs more than once");
  const { expect } = req.headers;
  if (expect !== undefined && expect.toLowerCase() !== "100-continue")
    throw new ApiError("invalid_request", "Expect: only 100-continue is supported");
}
