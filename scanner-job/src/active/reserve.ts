import type { ScanOrder } from "@glovebox/contract";

type Limits = ScanOrder["limits"];

/** Share of the requests and of the time of an active scan that is kept for its clean-up. */
const SHARE = 0.1;
const MAX_REQUESTS = 600;
const MAX_SECONDS = 30;

/**
 * The limits of an active scan, divided: the clean-up has its own, so that it also runs when those of the scan are used up. Both
 * together are what the order allows. Pure.
 */
export function divided(limits: Limits): { readonly scan: Limits; readonly cleanUp: Limits } {
  const maxRequests = Math.min(MAX_REQUESTS, Math.ceil(limits.maxRequests * SHARE));
  const deadlineSeconds = Math.min(MAX_SECONDS, limits.deadlineSeconds * SHARE);
  return {
    scan: {
      ...limits,
      maxRequests: limits.maxRequests - maxRequests,
      deadlineSeconds: limits.deadlineSeconds - deadlineSeconds,
    },
    cleanUp: { ...limits, maxRequests, deadlineSeconds },
  };
}
