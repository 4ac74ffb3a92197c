import { fitsTemplate } from "../inventory/discovery/path-template.ts";
import type { Operation } from "../inventory/operation.ts";
import { isOwnForm } from "../inventory/sign-in.ts";
import { isBlocked, isDenied, isSuccess, rejectsInput } from "../oracles/classify.ts";
import type { Calibration } from "../oracles/not-found.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";

/**
 * How far requests to an operation got, the farthest first: its handler responded; credentials were required; it got the
 * response of a path that does not exist; there was a fault, a firewall or no response; nothing was sent to it.
 */
export const REACHES = ["reached", "refused", "missing", "failed", "untried"] as const;
export type Reach = (typeof REACHES)[number];

export const farthest = (reaches: readonly Reach[]): Reach =>
  REACHES.find((reach) => reaches.includes(reach)) ?? "untried";

/**
 * How far the request of one response got. A write is sent so that it cannot succeed: its handler was reached when it
 * rejected the input. A read was reached when it succeeded.
 */
export function reachOf(
  response: ProbeResponse,
  operation: Pick<Operation, "isRead" | "facts">,
  calibration: Calibration,
): Reach {
  const { isRead } = operation;
  if (response.isCut || response.status >= 500 || isBlocked(response)) return "failed";
  if (isOwnForm(response, operation)) return "reached";
  if (isDenied(response)) return isRefusedWholesale(calibration) ? "failed" : "refused";
  if (calibration.looksMissing(response)) return "missing";
  return isSuccess(response) || (!isRead && rejectsInput(response)) ? "reached" : "missing";
}

/**
 * Something before the API refuses everything, which paths exist or not: its response says nothing about an operation. A 401 asks
 * for credentials.
 */
export const isRefusedWholesale = ({ missing }: Pick<Calibration, "missing">): boolean =>
  missing.length > 0 && missing.every((response) => response.status === 403 || isBlocked(response));

/** The host is reached where it returns anything but a refusal. */
export function hostReach({ entry, calibration }: { entry: ProbeResponse; calibration: Calibration }): Reach {
  if (isRefusedWholesale(calibration)) return "failed";
  return calibration.deniesEverything && isDenied(entry) ? "refused" : "reached";
}

/** Whether a request calls the operation, regardless of its parameters. */
export function calls(
  { method, url, body }: ProbeRequest,
  { location, facts: { graphqlField } }: Pick<Operation, "location" | "facts">,
): boolean {
  if (method !== location.method) return false;
  // All queries of GraphQL go to one path.
  if (graphqlField !== undefined && body?.includes(graphqlField) !== true) return false;
  return fitsTemplate(new URL(url).pathname, location.path);
}
