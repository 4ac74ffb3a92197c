import type { ApiDocument } from "../api-document.ts";
import { UnusableDocument } from "./unusable.ts";

export const MAX_NODES = 500_000;
export const MAX_DEPTH = 64;
const MAX_ADDRESSES = 500;

export interface Inspection {
  readonly addresses: ApiDocument["addresses"];
  /** True when something stands deeper than `MAX_DEPTH`; it is not looked at. */
  readonly tooDeep: boolean;
  readonly externalReferences: number;
}

interface Place {
  readonly value: unknown;
  readonly depth: number;
  readonly key: string;
  readonly parent: Place | undefined;
}

/**
 * Walks the whole document once. What YAML aliases repeat counts each time, so a bomb of aliases meets the cap.
 * Throws `UnusableDocument` beyond `MAX_NODES` values.
 */
export function inspect(root: unknown): Inspection {
  const addresses: { pointer: string; url: string }[] = [];
  let externalReferences = 0;
  let tooDeep = false;
  walk(root, (place) => {
    if (place.depth > MAX_DEPTH) tooDeep = true;
    if (typeof place.value !== "string") return;
    if (place.key === "$ref" && !place.value.startsWith("#")) externalReferences += 1;
    else if (addresses.length < MAX_ADDRESSES && isAddress(place.value)) {
      addresses.push({ pointer: pointerOf(place), url: place.value });
    }
  });
  return { addresses, tooDeep, externalReferences };
}

/** Document order, without recursion: the depth is the document's choice, the stack is ours. */
function walk(root: unknown, visit: (place: Place) => void): void {
  const open: Place[] = [{ value: root, depth: 0, key: "", parent: undefined }];
  let nodes = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    visit(place);
    if (typeof place.value !== "object" || place.value === null || place.depth > MAX_DEPTH) continue;
    nodes += Array.isArray(place.value) ? place.value.length : Object.keys(place.value).length;
    if (nodes > MAX_NODES) throw new UnusableDocument(`It has more than ${MAX_NODES} values`);
    for (const [key, value] of Object.entries(place.value).reverse()) {
      open.push({ value, key, depth: place.depth + 1, parent: place });
    }
  }
}

const isAddress = (text: string): boolean =>
  text.length <= 2_000 && /^(https?|wss?):\/\/[^\s/]\S*$/i.test(text);

/** RFC 6901. */
function pointerOf(place: Place): string {
  const keys: string[] = [];
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent) keys.unshift(at.key);
  return keys.map((key) => `/${key.slice(0, 200).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
