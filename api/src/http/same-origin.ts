import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "@glovebox/contract";

/**
 * True when a page of this service sent the request, so that no other site can use the cookie of a browser: by the browser's own
 * word (Sec-Fetch-Site), or in browsers and on connections without it, by Origin (RFC 6454, section 7). Required for every
 * method but GET and HEAD where a cookie authenticates.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: URL | undefined): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  return publicUrl !== undefined && headers.origin === publicUrl.origin;
}

/** @throws ApiError `forbidden` unless a page of this service sent the request */
export function requireSameOrigin(headers: IncomingHttpHeaders, publicUrl: URL | undefined): void {
  if (!isSameOrigin(headers, publicUrl))
    throw new ApiError(
      "forbidden",
      "The request comes from a different origin than the public URL of the service.",
    );
}
