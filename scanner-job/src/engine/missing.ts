import type { ProbeRequest } from "../transport/exchange.ts";
import type { Survey } from "./survey.ts";

/**
 * The same request to a path of the same shape that nobody can have made: same depth below the API's base, same
 * leading dot, same extension. The letters are the same throughout a scan, so that its answers are shared.
 */
export function missingTwin(
  request: ProbeRequest,
  survey: Pick<Survey, "operations" | "profile">,
): ProbeRequest {
  const url = new URL(request.url);
  const base = longestBase(url.pathname, survey.operations);
  const segments = url.pathname.slice(base.length).split("/");
  url.pathname = base + segments.map((segment) => twinOf(segment, survey.profile.nonce)).join("/");
  const { rawPath: _, ...rest } = request;
  return { ...rest, url: url.href };
}

const longestBase = (pathname: string, operations: Survey["operations"]): string =>
  [...new Set(operations.map(({ facts }) => facts.base))]
    .filter((base) => pathname === base || pathname.startsWith(`${base}/`))
    .reduce((longest, base) => (base.length > longest.length ? base : longest), "");

function twinOf(segment: string, nonce: string): string {
  if (segment === "") return "";
  const dot = segment.startsWith(".") ? "." : "";
  const extension = /(?<=.)\.[a-z\d]{1,5}$/i.exec(segment)?.[0] ?? "";
  return dot + nonce + extension;
}
