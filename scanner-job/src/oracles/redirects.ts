import type { Operation, Parameter } from "../inventory/operation.ts";
import type { Reply } from "../transport/exchange.ts";

/** Where a redirect leads, resolved against the request; undefined for other answers and unreadable addresses. */
export function redirectTarget({ status, headers, request }: Reply): URL | undefined {
  const location = headers["location"];
  if (status < 300 || status > 399 || location === undefined) return undefined;
  return URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
}

/** True for parameters that by name hold the place to go next, or belong to an operation that sends people on. */
export const mayRedirect = ({ in: place, type, name }: Parameter, { facts }: Operation): boolean =>
  place === "query" &&
  type === "string" &&
  (NEXT.test(name.replace(/[^a-z]/gi, "")) || SENDS_ON.test(facts.path));

const NEXT =
  /^(to|url|uri|next|redirect\w*|return\w*|goto|go|dest|destination|continue|target|forward|callback\w*|back|backto|success(url|uri)|cancel(url|uri)|relaystate|link|out|exit|lang|language|locale|set\w*)$/i;
const SENDS_ON = /\/(go|out|exit|redirect|forward|leave|jump|away|logout|login|sso)\/?$/i;
