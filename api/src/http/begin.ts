import { randomUUID } from "node:crypto";
import { ApiError } from "@glovebox/contract";
import type { NextFunction } from "express";
import { uncounted } from "../limits/rate-state.ts";
import type { ApiRequest, ApiResponse, Call } from "./call.ts";

export interface BeginDeps {
  readonly now: () => Date;
  readonly addressLimit: number;
  readonly ended: Call["ended"];
  readonly closing: () => boolean;
}

/** The first step of every request: gives it its id, and refuses what no route could make sense of. */
export function createBegin({ now, addressLimit, ended, closing }: BeginDeps) {
  return (_req: ApiRequest, res: ApiResponse, next: NextFunction): void => {
    res.locals.call = {
      requestId: randomUUID(),
      startedAt: performance.now(),
      route: "unmatched",
      rate: uncounted(addressLimit, now()),
      holder: undefined,
      ended,
      closing,
    };
    next();
  };
}

/**
 * Headers that make a request ambiguous (RFC 9112, section 3.2; RFC 9110, section 10.1.1).
 * @throws ApiError `invalid_request`
 */
export function refuseOddHeaders(req: ApiRequest): void {
  if (req.httpVersionMinor === 1 && req.httpVersionMajor === 1 && req.headers.host === undefined)
    throw new ApiError("invalid_request", "Host: is required");
  // node:http keeps the first; a proxy in front may have gone by the last.
  if ((req.headersDistinct["host"]?.length ?? 0) > 1)
    throw new ApiError("invalid_request", "Host: occurs more than once");
  const { expect } = req.headers;
  if (expect !== undefined && expect.toLowerCase() !== "100-continue")
    throw new ApiError("invalid_request", "Expect: only 100-continue is supported");
}
