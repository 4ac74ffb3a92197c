import type { Probe } from "../engine/probe.ts";
import { featuresOf, sameAs, withoutEcho } from "../oracles/similarity.ts";
import { languageErrorIn, type Language } from "../signatures/language-errors.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { inserting, insertingNonsense } from "./insertion-points.ts";
import type { ParameterSubject } from "./subjects.ts";

/** Signs that end a text, or begin an expression, in most languages that a value could become a part of. */
const SIGNS = `'"\`)\\{{\${<%*|`;

/**
 * Whether signs of a language get different responses from letters of the same length, or a fault. Where the response
 * has an error of one language, only that is suspected. The requests are the same for all checks of the
 * insertion point, which share their responses.
 */
export async function isSuspicious(
  probe: Probe,
  point: ParameterSubject,
  language: Language | undefined,
): Promise<boolean> {
  const { nonce } = probe.profile.calibration;
  const sent = nonce.slice(0, Math.max(0, nonce.length - SIGNS.length)) + SIGNS;
  const benign = await benignValueAt(probe, point);
  const signs = await probe.control(await inserting(probe, point, sent));
  const complaint = languageErrorIn(signs.body) ?? languageErrorIn(benign.body);
  const isFault = signs.status >= 500 || benign.status >= 500;
  const isInterpreted = complaint !== undefined || isFault || (await differs());
  if (isInterpreted) probe.interpreted();
  return isInterpreted && (complaint === undefined || language === undefined || language === complaint);

  async function differs(): Promise<boolean> {
    const ofSigns = featuresOf(signs, withoutEcho({ sent, baseValue: nonce }));
    if (sameAs([featuresOf(benign)])(ofSigns)) return false;
    // What differs between responses to benign values, such as the time, is not a sign of a language.
    const others = nonce.split("").toReversed().join("");
    const replay = await probe.control(await inserting(probe, point, others));
    const ofOthers = featuresOf(replay, withoutEcho({ sent: others, baseValue: nonce }));
    return !sameAs([featuresOf(benign), ofOthers])(ofSigns);
  }
}

/** The response to a benign value. */
export const benignValueAt = async (probe: Probe, point: ParameterSubject): Promise<ProbeResponse> =>
  probe.control(await insertingNonsense(probe, point));
