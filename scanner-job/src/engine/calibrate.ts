import type { ProbeRequest, Reply } from "../transport/exchange.ts";
import { isBlocked, isDenied, isSuccess } from "../oracles/judge.ts";
import { similarity } from "../oracles/similarity.ts";

/** How this host answers what cannot exist; known before anything it answers is believed. */
export interface Calibration {
  /** The letters that its impossible paths are made of. */
  readonly nonce: string;
  /** Answers to impossible paths of several shapes. */
  readonly missing: readonly Reply[];
  /** It answers every path as if it existed (a single-page app, a catch-all handler). */
  readonly answersEverything: boolean;
  /** It refuses every path alike (a gateway before the API). */
  readonly deniesEverything: boolean;
  /** True when the answer looks like one to an impossible path. */
  looksMissing(reply: Reply): boolean;
}

/** Paths of several shapes that nobody can have made. */
const impossiblePaths = (base: string, nonce: string): Set<string> =>
  new Set([`/${nonce}`, `${base}/${nonce}`, `${base}/${nonce}/${nonce}`, `/.${nonce}`, `/${nonce}.json`]);

/** Asks for paths that nobody can have made, one at a time, and draws the conclusions. */
export async function calibrate(
  send: (request: ProbeRequest) => Promise<Reply>,
  { origin, base, nonce }: { origin: string; base: string; nonce: string },
): Promise<Calibration> {
  const missing: Reply[] = [];
  for (const path of impossiblePaths(base, nonce)) missing.push(await send(readOf(origin + path)));
  return calibrationOf(missing, nonce);
}

/** An ordinary read, as the calibration sends it. */
export const readOf = (url: string): ProbeRequest => ({
  method: "GET",
  url,
  headers: { accept: "application/json, */*;q=0.5" },
});

/** Pure: what the answers to impossible paths say of the host. */
export function calibrationOf(missing: readonly Reply[], nonce: string): Calibration {
  return {
    nonce,
    missing,
    answersEverything: missing.length > 0 && missing.every(isSuccess),
    deniesEverything: missing.length > 0 && missing.every((reply) => isDenied(reply) || isBlocked(reply)),
    looksMissing: (reply) =>
      reply.status === 404 ||
      reply.status === 410 ||
      missing.some((other) => similarity(reply, other) >= 0.9),
  };
}
