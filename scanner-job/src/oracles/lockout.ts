import type { ProbeResponse } from "../transport/exchange.ts";
import { isBlocked } from "./classify.ts";
import { partsOf, steadyParts } from "./steady-parts.ts";
import { countsDown, isSlowedDown, saysLocked } from "./throttling.ts";

/** Responses at the start of a series, which show what varies by itself. */
const REPLAYS = 2;
/** Responses at the end of a series, all of which must show the sign. */
export const RECURRENCES = 3;

/**
 * How a series of similar attempts was held up: by a sign that none of the first responses shows, and all of the last ones. What
 * differs from one response to the next (request ids, varying texts, single faults or delays) is not a sign. Pure.
 */
export function lockoutIn(
  responses: readonly ProbeResponse[],
): { readonly sign: string; readonly isDelay: boolean } | undefined {
  if (responses.at(-1)?.status === 429) return { sign: "429 was returned", isDelay: false };
  if (responses.length < REPLAYS + RECURRENCES) return undefined;
  const [first, ...others] = responses.slice(0, REPLAYS) as [ProbeResponse, ...ProbeResponse[]];
  const held = signsBeside(first, others).find(
    ({ isShownBy }) =>
      ![first, ...others].some(isShownBy) &&
      responses.slice(-RECURRENCES).every((response) => isShownBy(response)),
  );
  if (held) return { sign: held.sign, isDelay: false };
  if (countsDown(responses))
    return { sign: "the responses count down the remaining requests", isDelay: false };
  return isSlowedDown(responses) ? { sign: "the responses became slower", isDelay: true } : undefined;
}

/** Whether the last response may be held up, so that more attempts are to show whether it recurs. */
export function mayBeLockout(responses: readonly ProbeResponse[]): boolean {
  const [first, ...others] = responses.slice(0, REPLAYS);
  const last = responses.at(-1);
  if (!first || !last || responses.length <= REPLAYS) return false;
  return isSlowedDown(responses) || signsBeside(first, others).some(({ isShownBy }) => isShownBy(last));
}

function signsBeside(
  first: ProbeResponse,
  others: readonly ProbeResponse[],
): readonly { readonly sign: string; readonly isShownBy: (response: ProbeResponse) => boolean }[] {
  const isSteady = others.every(({ status }) => status === first.status);
  const isSame = steadyParts(partsOf(first), partsOf(others[0] ?? first));
  return [
    { sign: "503 was returned", isShownBy: ({ status }) => status === 503 },
    {
      sign: "the caller was locked out",
      isShownBy: (response) => isBlocked(response) || saysLocked(response),
    },
    {
      sign: "the status changed",
      isShownBy: ({ status }) => isSteady && status !== first.status && status < 500,
    },
    {
      sign: "the text changed",
      isShownBy: (response) => isSame !== undefined && response.status < 500 && !isSame(partsOf(response)),
    },
  ];
}
