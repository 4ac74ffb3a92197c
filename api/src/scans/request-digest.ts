import { createHash } from "node:crypto";
import type { ScanSubmission } from "@glovebox/contract";

/**
 * A digest of a request, equal for bodies with the same values, regardless of white space and order.
 * @param keyed a digest with a key: of a request with secrets nothing else may be stored, or they could be guessed
 */
export function requestDigest(request: ScanSubmission, keyed: (text: string) => string): string {
  const { url, specUrl = null, context = null, mode, ...others } = request;
  const basic = [url, specUrl, context];
  // `safe` is the default: naming it asks for nothing else.
  const more = mode === "active" ? { ...others, mode } : others;
  const added = Object.entries(more).filter(([, value]) => value !== undefined);
  // Releases without other fields stored the digest of these three alone.
  if (added.length === 0) return sha256(JSON.stringify(basic));
  const text = JSON.stringify([...basic, Object.fromEntries(added)], sortMembers);
  return others.identities ? keyed(text) : sha256(text);
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const sortMembers = (_name: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
