import { locationName } from "@glovebox/domain";
import { type SideEffect } from "@glovebox/contract";

/** What it means to be listed among the side effects, for people. */
export const SIDE_EFFECTS =
  "Each of these requests was accepted where it should have been refused, so the target may have stored it. No further write was sent to the operation.";

/** A side effect in one line: `POST /register: status 201`. */
export const sideEffectText = ({ operation, response: { status }, cleaned }: SideEffect): string =>
  `${locationName(operation)}: ${status === 0 ? "no response" : `status ${status}`}${cleaned ? ", removed again" : ""}`;
