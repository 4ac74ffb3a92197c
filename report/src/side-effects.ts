import { locationName } from "@glovebox/domain";
import { type SideEffect } from "@glovebox/contract";

/** What it means to be listed among the side effects, for people. */
export const SIDE_EFFECTS =
  "The target may have stored each of these requests: it accepted what it should have refused, or did not respond. An operation that accepts a write is sent no other.";

/** A side effect in one line: `POST /register: status 201`. */
export const sideEffectText = ({ operation, response: { status }, cleaned }: SideEffect): string =>
  `${locationName(operation)}: ${status === 0 ? "no response" : `status ${status}`}${cleaned ? ", removed again" : ""}`;
