import { hkdfSync } from "node:crypto";

/*
 * What the attempts of a scan derive from its seed, so that nothing secret has to be noted: another attempt signs in as the users that
 * an earlier one registered.
 */

/** Bytes that only who has the seed knows. Pure. */
export const derivedBytes = (seed: string, purpose: string, size: number): Buffer =>
  Buffer.from(hkdfSync("sha256", seed, "", purpose, size));

/** The marker of everything that the scan creates: `glovebox` and eight letters. Pure. */
export const markerOf = (seed: string): string =>
  `glovebox${String.fromCharCode(...derivedBytes(seed, "marker", 8).map((byte) => 97 + (byte % 26)))}`;
