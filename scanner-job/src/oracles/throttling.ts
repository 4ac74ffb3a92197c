import type { ProbeResponse } from "../transport/exchange.ts";
import { isBlocked } from "./classify.ts";

/** Headers with the caller's remaining requests (RateLimit of the IETF draft, X-RateLimit, Retry-After of RFC 9110). */
export const limitHeaders = ({ headers }: ProbeResponse): string[] =>
  Object.keys(headers).filter((name) => /^(x-)?rate-?limit(-|$)|^retry-after$|^x-rate-limit/i.test(name));

/** How a series of like requests was slowed down or stopped, as text; undefined if it was not. */
export function throttlingIn(responses: readonly ProbeResponse[]): string | undefined {
  const last = responses.at(-1);
  if (!last) return undefined;
  if (last.status === 429) return "429 was returned";
  if (last.status === 503) return "503 was returned";
  if (isBlocked(last) || saysLocked(last)) return "the caller was locked out";
  if (isSlowedDown(responses)) return "the responses became slower";
  return countsDown(responses) ? "the responses count down the remaining requests" : undefined;
}

/** Three consecutive responses that took three times as long as the first ones. */
export function isSlowedDown(responses: readonly ProbeResponse[]): boolean {
  if (responses.length < 6) return false;
  const baseline = Math.max(...responses.slice(0, 3).map(({ elapsedMs }) => elapsedMs));
  return responses.slice(-3).every(({ elapsedMs }) => elapsedMs > baseline * 3 + NOISE_MS);
}

/** The header of the caller's remaining requests is lower at the end than at the start. */
export function countsDown(responses: readonly ProbeResponse[]): boolean {
  const left = responses.map(remaining).filter((value) => value !== undefined);
  return left.length > 1 && left.at(-1)! < left[0]!;
}

function remaining({ headers }: ProbeResponse): number | undefined {
  const [, value] =
    Object.entries(headers).find(([name]) => /^(x-)?rate-?limit-remaining/i.test(name)) ??
    /(?:^|[;,\s])r(?:emaining)?=(\d+)/.exec(headers["ratelimit"] ?? "") ??
    [];
  return value !== undefined && /^\s*\d+/.test(value) ? Number.parseInt(value, 10) : undefined;
}

/** True when the response says that attempts are limited, or that the account is locked by them. */
export const saysLocked = ({ body }: ProbeResponse): boolean => LOCKED.test(body.slice(0, MAX_LOCKED_TEXT));

const MAX_LOCKED_TEXT = 4_096;
/** Differences between faster responses are noise. */
const NOISE_MS = 150;
const LOCKED =
  /captcha|too many (requests|attempts|tries|login)|try again (later|in \d)|temporarily (locked|blocked)|account (is )?locked|locked out|rate limit|account (has been |is )?(temporarily )?(suspended|blocked|disabled)|(wait|retry (after|in)) \d+ ?(s|sec|m|min|h|hour)|(\d+|no) (more )?(attempts?|tries) (left|remaining)|(attempts?|tries) (left|remaining)/i;
