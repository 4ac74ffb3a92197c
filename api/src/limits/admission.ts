import { ApiError } from "@glovebox/contract";
import { PLANS } from "@glovebox/contract";
import type { KeyHolder } from "@glovebox/store";
import type { NextFunction } from "express";
import { refuseOddHeaders } from "../http/begin.ts";
import type { ApiRequest, ApiResponse } from "../http/call.ts";
import { addressKey } from "../http/client-address.ts";
import { bearerToken } from "../keys/bearer.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { LastUsed } from "../keys/last-used.ts";
import { rateState, type RateCounter, type RateState } from "./rate-state.ts";

/** Who may use a path: anyone uncounted (probes), anyone counted by address, or the holder of a key. */
export type Access = "uncounted" | "address" | "key";

export interface AdmissionDeps {
  readonly accessOf: (path: string) => Access;
  readonly keyRing: KeyRing;
  readonly lastUsed: LastUsed;
  readonly counter: RateCounter;
  readonly addressLimit: number;
  readonly now: () => Date;
}

/**
 * Lets a request in: by its key and the key's rate limit, or else by its address's. A client with a valid key is never
 * held up by what others do from its address.
 */
export function createAdmission(deps: AdmissionDeps) {
  return async (req: ApiRequest, res: ApiResponse, next: NextFunction): Promise<void> => {
    const access = deps.accessOf(req.path);
    if (access === "key") await admitKey(deps, req, res);
    else if (access === "address") await admitAddress(deps, req, res);
    refuseOddHeaders(req);
    next();
  };
}

async function admitKey(deps: AdmissionDeps, req: ApiRequest, res: ApiResponse): Promise<void> {
  const holder = await holderOf(deps, req, res);
  if (!holder) {
    await admitAddress(deps, req, res);
    throw unauthorized(req);
  }
  const { call } = res.locals;
  const now = deps.now();
  call.holder = holder;
  deps.lastUsed.note(holder.keyId, now);
  const limit = holder.account.requestsPerMinute ?? PLANS[holder.account.plan].requestsPerMinute;
  call.rate = rateState(await deps.counter.count(`key:${holder.keyId}`), limit, now);
  refuseExceeded(call.rate, "The plan's requests of this minute are used up.");
}

async function admitAddress(deps: AdmissionDeps, req: ApiRequest, res: ApiResponse): Promise<void> {
  const { call } = res.locals;
  call.rate = rateState(await deps.counter.count(addressKey(req.ip)), deps.addressLimit, deps.now());
  refuseExceeded(call.rate, "Too many requests without a valid key from this address.");
}

/** The holder; while keys cannot be looked up, the address is counted before the outage is answered. */
async function holderOf(
  deps: AdmissionDeps,
  req: ApiRequest,
  res: ApiResponse,
): Promise<KeyHolder | undefined> {
  const token = bearerToken(req.headers.authorization);
  if (token === undefined) return undefined;
  try {
    return await deps.keyRing.holder(token);
  } catch (error) {
    await admitAddress(deps, req, res);
    throw error;
  }
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
