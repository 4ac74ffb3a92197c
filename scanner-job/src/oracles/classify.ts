import { isObject } from "../json.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { isChallengePage } from "./challenge-page.ts";

/** A real success, not only a success status: no error in the JSON body, no login page, no block page. */
export function isSuccess(response: ProbeResponse): boolean {
  return (
    response.status >= 200 &&
    response.status < 300 &&
    !saysError(response.json) &&
    !isLoginPage(response) &&
    !isBlocked(response)
  );
}

/** The caller must authenticate or is not allowed, also if the response has status 200 or redirects. */
export function isDenied(response: ProbeResponse): boolean {
  if (response.status === 401 || response.status === 403) return true;
  if (response.status >= 300 && response.status < 400)
    return LOGIN_ADDRESS.test(response.headers["location"] ?? "");
  if (response.status === 405) return false;
  return isLoginPage(response) || (saysError(response.json) && DENIAL.test(response.body.slice(0, 4096)));
}

/** The handler was reached and rejected the input (400, 415, 422). Weaker: 404, see `reachedHandler`. */
export const isRejectedInput = (response: ProbeResponse): boolean =>
  [400, 415, 422].includes(response.status);

/** The input was rejected by the status or, as by APIs that return errors with 200, in the JSON body alone. */
export const rejectsInput = (response: ProbeResponse): boolean =>
  isRejectedInput(response) ||
  (response.status >= 200 &&
    response.status < 300 &&
    saysError(response.json) &&
    !isDenied(response) &&
    !NOT_FOUND.test(response.body.slice(0, 4096)));

/** Throttling, or a page of a firewall or a bot check, instead of a response of the API. */
export const isBlocked = (response: ProbeResponse): boolean =>
  response.status === 429 || isChallengePage(response);

/** Why a response that is blocked gives no information about the API. */
export const BLOCKED = "A firewall or a rate limit blocked the request.";

/** Why a response gives no information about the API: an error, a firewall, throttling. Undefined when it does. */
export function withoutMeaning(response: ProbeResponse): string | undefined {
  if (response.status >= 500) return `The target returned an unexpected status ${response.status}.`;
  if (isBlocked(response)) return BLOCKED;
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
    (isTelling(errors) && !hasData(json["data"])) // GraphQL returns data and errors together
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

function isLoginPage(response: ProbeResponse): boolean {
  return (
    response.mediaType === "text/html" &&
    /<input[^<>]+type=["']?password/i.test(response.body.slice(0, 65_536))
  );
}

const LOGIN_ADDRESS = /log[-_]?in|sign[-_]?in|\/auth\b|sso|oauth2?\/authorize/i;
const NOT_FOUND =
  /not[ _-]?found|does not exist|no such|unknown (path|route|endpoint|method)|not allowed|not supported/i;
const DENIAL =
  /unauthori[sz]ed|unauthenticated|not authenticated|authentication (is )?required|access denied|permission denied|forbidden|not allowed to|invalid (api[- ]?key|token|credentials)|missing (api[- ]?key|token|credentials)|login required|please log ?in/i;
