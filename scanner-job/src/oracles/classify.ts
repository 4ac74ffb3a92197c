import { isObject } from "../json.ts";
import type { Reply } from "../transport/exchange.ts";
import { isChallengePage } from "./challenge-page.ts";

/** A real success, not only a success status: no error in the JSON body, no login page, no block page. */
export function isSuccess(reply: Reply): boolean {
  return (
    reply.status >= 200 &&
    reply.status < 300 &&
    !saysError(reply.json) &&
    !isLoginPage(reply) &&
    !isBlocked(reply)
  );
}

/** The caller must authenticate or is not allowed, also if the response has status 200 or redirects. */
export function isDenied(reply: Reply): boolean {
  if (reply.status === 401 || reply.status === 403) return true;
  if (reply.status >= 300 && reply.status < 400) return LOGIN_ADDRESS.test(reply.headers["location"] ?? "");
  if (reply.status === 405) return false;
  return isLoginPage(reply) || (saysError(reply.json) && DENIAL.test(reply.body.slice(0, 4096)));
}

/** The handler was reached and rejected the input (400, 415, 422). Weaker: 404, see `reachedHandler`. */
export const isRejectedInput = (reply: Reply): boolean => [400, 415, 422].includes(reply.status);

/** The input was rejected by the status or, as by APIs that answer errors with 200, in the JSON body alone. */
export const rejectsInput = (reply: Reply): boolean =>
  isRejectedInput(reply) ||
  (reply.status >= 200 &&
    reply.status < 300 &&
    saysError(reply.json) &&
    !isDenied(reply) &&
    !NOT_FOUND.test(reply.body.slice(0, 4096)));

/** Throttling, or a page of a firewall or a bot check, instead of an answer of the API. */
export const isBlocked = (reply: Reply): boolean => reply.status === 429 || isChallengePage(reply);

/** Why an answer that is blocked gives no information about the API. */
export const BLOCKED = "A firewall or a rate limit blocked the request.";

/** Why an answer gives no information about the API: an error, a firewall, throttling. Undefined when it does. */
export function withoutMeaning(reply: Reply): string | undefined {
  if (reply.status >= 500) return `The target returned an unexpected status ${reply.status}.`;
  if (isBlocked(reply)) return BLOCKED;
  return undefined;
}

/** An error in the JSON body, with any status: `{"error": …}`, `{"success": false}`, `{"status": 404}`, RFC 9457. */
export function saysError(json: unknown): boolean {
  if (!isObject(json)) return false;
  const { error, errors, success, ok, status, code, statusCode } = json;
  return (
    [success, ok].includes(false) ||
    ["error", "fail"].includes(String(status)) ||
    [status, code, statusCode].some(isErrorStatus) ||
    isTelling(error) ||
    (isTelling(errors) && !hasData(json["data"])) // GraphQL answers data and errors together
  );
}

const hasData = (data: unknown): boolean =>
  Array.isArray(data) || (isObject(data) && Object.values(data).some((value) => value !== null));

const isErrorStatus = (value: unknown): boolean => {
  const number = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && number >= 400 && number <= 599;
};
const isTelling = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (typeof value === "string" && value !== "") || isObject(value);
};

function isLoginPage(reply: Reply): boolean {
  return (
    reply.mediaType === "text/html" && /<input[^<>]+type=["']?password/i.test(reply.body.slice(0, 65_536))
  );
}

const LOGIN_ADDRESS = /log[-_]?in|sign[-_]?in|\/auth\b|sso|oauth2?\/authorize/i;
const NOT_FOUND =
  /not[ _-]?found|does not exist|no such|unknown (path|route|endpoint|method)|not allowed|not supported/i;
const DENIAL =
  /unauthori[sz]ed|unauthenticated|not authenticated|authentication (is )?required|access denied|permission denied|forbidden|not allowed to|invalid (api[- ]?key|token|credentials)|missing (api[- ]?key|token|credentials)|login required|please log ?in/i;
