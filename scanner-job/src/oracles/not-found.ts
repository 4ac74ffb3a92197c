import { ANONYMOUS } from "@glovebox/contract";
import { NO_PATH, readOf, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";
import { isBlocked, isDenied, isSuccess } from "./classify.ts";
import { similarity, areSimilar } from "./similarity.ts";

/** How this host responds to requests for paths that do not exist; measured before any other response is evaluated. */
export interface Calibration {
  /** The nonce in its random paths. */
  readonly nonce: string;
  /** Responses for random paths of several shapes. */
  readonly missing: readonly ProbeResponse[];
  /** It responds to every path as if it existed (a single-page app, a catch-all handler). */
  readonly acceptsEverything: boolean;
  /** It refuses every path in the same way (a gateway before the API). */
  readonly deniesEverything: boolean;
  /** True when the response is like one to a random path. */
  looksMissing(response: ProbeResponse): boolean;
}

/** Random paths of several shapes that do not exist. */
const impossiblePaths = (base: string, nonce: string): Set<string> =>
  new Set([`/${nonce}`, `${base}/${nonce}`, `${base}/${nonce}/${nonce}`, `/.${nonce}`, `/${nonce}.json`]);

/** Requests random paths that do not exist, and derives the rules. */
export async function calibrate(
  send: (request: ProbeRequest) => Promise<ProbeResponse>,
  { origin, base, nonce }: { origin: string; base: string; nonce: string },
): Promise<Calibration> {
  const paths = [...impossiblePaths(base, nonce)];
  return calibrationOf(await Promise.all(paths.map((path) => send(readOf(origin + path)))), nonce);
}

/** The calibration from the responses to random paths. Pure. */
export function calibrationOf(missing: readonly ProbeResponse[], nonce: string): Calibration {
  return {
    nonce,
    missing,
    acceptsEverything: missing.length > 0 && missing.every(isSuccess),
    deniesEverything:
      missing.length > 0 && missing.every((response) => isDenied(response) || isBlocked(response)),
    looksMissing: (response) =>
      response.status === 404 ||
      response.status === 410 ||
      missing.some((other) => similarity(response, other) >= 0.9),
  };
}

/** Judges the responses to callers without credentials by those that such callers get. Pure. */
export const byCaller = (baseline: Calibration, anonymous: Calibration): Calibration => ({
  ...baseline,
  looksMissing: (response) => (response.caller === ANONYMOUS ? anonymous : baseline).looksMissing(response),
});

/** The base paths of the operations, and a random name. */
interface Known {
  readonly operations: readonly { readonly facts: { readonly base: string } }[];
  readonly calibration: Pick<Calibration, "nonce">;
}

/**
 * The same request to a random path of the same shape that cannot exist: same depth below the API's base, same
 * leading dot, same extension. The nonce is the same throughout a scan, so that the responses are shared.
 */
export function notFoundControl(request: ProbeRequest, { operations, calibration }: Known): ProbeRequest {
  const url = new URL(request.url);
  const base = longestBase(url.pathname, operations);
  const segments = url.pathname.slice(base.length).split("/");
  url.pathname = base + segments.map((segment) => impossibleSegment(segment, calibration.nonce)).join("/");
  const { rawPath: _, ...rest } = request;
  return { ...rest, url: url.href, ...(request.form && { form: NO_PATH }) };
}

/**
 * True when a response does not differ from the one for a path that cannot exist: the two are similar, or both are successes of
 * the same media type, as on a host that reflects the path or generates a page for any path.
 */
export const isNoBetterThan = (missing: ProbeResponse, response: ProbeResponse): boolean =>
  areSimilar(response, missing) || (isSuccess(missing) && missing.mediaType === response.mediaType);

const longestBase = (pathname: string, operations: Known["operations"]): string =>
  [...new Set(operations.map(({ facts }) => facts.base))]
    .filter((base) => pathname === base || pathname.startsWith(`${base}/`))
    .reduce((longest, base) => (base.length > longest.length ? base : longest), "");

function impossibleSegment(segment: string, nonce: string): string {
  if (segment === "") return "";
  const dot = segment.startsWith(".") ? "." : "";
  const extension = /(?<=.)\.[a-z\d]{1,5}$/i.exec(segment)?.[0] ?? "";
  return dot + nonce + extension;
}
