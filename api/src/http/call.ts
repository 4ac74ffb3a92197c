import type { KeyHolder } from "@glovebox/store";
import type { Request, Response } from "express";
import type { RateState } from "../limits/rate-state.ts";

/** What the service knows about one request while it answers it. */
export interface Call {
  readonly requestId: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** The route's path template, or what stands for it in logs and metrics. */
  route: string;
  rate: RateState;
  /** Set once the key has been accepted. */
  holder: KeyHolder | undefined;
  /** Told once, with the status, when the answer is written (499: the client went away first). */
  readonly ended: (call: Call, request: Request, status: number) => void;
  /** True during a shutdown: the answer closes its connection. */
  readonly closing: () => boolean;
}

export type ApiRequest = Request;
export type ApiResponse = Response<unknown, { call: Call }>;

/** The account behind a request that was admitted with a key. */
export function holderOf(res: ApiResponse): KeyHolder {
  const { holder } = res.locals.call;
  if (!holder) throw new Error("A route for key holders was reached without a key");
  return holder;
}
