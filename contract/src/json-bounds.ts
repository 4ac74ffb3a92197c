import { MAX_DEPTH, MAX_VALUES } from "./outcome-frames.ts";

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether a text that may be JSON has no more values than an outcome, and nests no deeper. Costs no memory, unlike parsing:
 * 8 MiB of `{},{},…` become more than 200.
 */
export function isBounded(json: Uint8Array): boolean {
  let [values, depth] = [0, 0];
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case COMMA:
        values++;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        values++;
        depth++;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false;
  }
  return true;
}

/** Where the quote is that ends the string that begins at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
