import type { ProbeRequest, Reply } from "../transport/exchange.ts";
import { isSuccess } from "../oracles/judge.ts";
import { alike } from "../oracles/similarity.ts";
import type { TargetProfile } from "./target-profile.ts";

/**
 * The same request to a path of the same shape that nobody can have made: same depth below the API's base, same
 * leading dot, same extension. The letters are the same throughout a scan, so that its answers are shared.
 */
export function notFoundControl(
  request: ProbeRequest,
  profile: Pick<TargetProfile, "operations" | "calibration">,
): ProbeRequest {
  const url = new URL(request.url);
  const base = longestBase(url.pathname, profile.operations);
  const segments = url.pathname.slice(base.length).split("/");
  url.pathname =
    base + segments.map((segment) => impossibleSegment(segment, profile.calibration.nonce)).join("/");
  const { rawPath: _, ...rest } = request;
  return { ...rest, url: url.href };
}

/**
 * True when an answer says no more than that to a path that cannot exist: the two are alike, or both are successes of
 * one kind, as on a host that repeats the path or fills pages with whatever it is asked for.
 */
export const isNoBetterThan = (missing: Reply, reply: Reply): boolean =>
  alike(reply, missing) || (isSuccess(missing) && missing.mediaType === reply.mediaType);

const longestBase = (pathname: string, operations: TargetProfile["operations"]): string =>
  [...new Set(operations.map(({ facts }) => facts.base))]
    .filter((base) => pathname === base || pathname.startsWith(`${base}/`))
    .reduce((longest, base) => (base.length > longest.length ? base : longest), "");

function impossibleSegment(segment: string, nonce: string): string {
  if (segment === "") return "";
  const dot = segment.startsWith(".") ? "." : "";
  const extension = /(?<=.)\.[a-z\d]{1,5}$/i.exec(segment)?.[0] ?? "";
  return dot + nonce + extension;
}
