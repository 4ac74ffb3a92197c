import type { ScanContext } from "@glovebox/contract";
import type { Inputs, Outputs } from "../trpc.ts";
import { filtersIn, type FilterValues } from "./filter-fields.tsx";

export type IdentitySet = Outputs["identitySets"]["list"][number];

/** Whom the scan signs in as: nobody, identities that are pasted, or those of a saved set. */
export type IdentitySource = "" | "pasted" | `set:${string}`;

/** The values of the form, as text where a text field has them. */
export interface NewScanValues extends FilterValues {
  readonly url: string;
  readonly specUrl: string;
  readonly context: ScanContext | undefined;
  /** The scan writes to its target. */
  readonly isActive: boolean;
  /** What was typed as the host that it writes to. */
  readonly confirmedHost: string;
  readonly identitySource: IdentitySource;
  readonly identities: string;
  /** Name of the set that the pasted identities are saved as; empty: they are not. */
  readonly saveAs: string;
}

export const EMPTY_SCAN: NewScanValues = {
  ...{ url: "", specUrl: "", context: undefined, isActive: false, confirmedHost: "" },
  ...{ identitySource: "", identities: "", saveAs: "", include: "", exclude: "" },
};

/** The saved sets of the target that the URL leads to. */
export function setsOfTarget(sets: readonly IdentitySet[], url: string): IdentitySet[] {
  const origin = URL.canParse(url) ? new URL(url).origin : undefined;
  return sets.filter((set) => set.origin === origin);
}

/** A set that is chosen counts for its target only: another URL deselects it. */
export const chosenSource = (
  { identitySource, url }: NewScanValues,
  sets: readonly IdentitySet[],
): IdentitySource => {
  const isOfTarget = setsOfTarget(sets, url).some(({ name }) => identitySource === `set:${name}`);
  return identitySource === "pasted" || isOfTarget ? identitySource : "";
};

/** Identities as they are to be sent: as text, which the service parses, or by their set. */
type SentIdentities = { readonly identities: string } | { readonly identitySet: string };

export function identitiesOf(values: NewScanValues, source: IdentitySource): SentIdentities | undefined {
  if (source === "") return undefined;
  return source === "pasted"
    ? { identities: values.identities }
    : { identitySet: source.slice("set:".length) };
}

/** The host of a URL, with the port where it has one. */
export const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).host : undefined;

/** Writes are confirmed by typing the host that they go to; changing the URL takes the confirmation back. */
export const isConfirmed = ({ isActive, confirmedHost, url }: NewScanValues): boolean =>
  !isActive || confirmedHost.trim().toLowerCase() === hostOf(url);

export function requestOf(
  { url, specUrl, context, isActive, ...filters }: NewScanValues,
  identities: SentIdentities | undefined,
): Inputs["scans"]["start"] {
  const [include, exclude] = [filtersIn(filters.include), filtersIn(filters.exclude)];
  return {
    url,
    ...(specUrl && { specUrl }),
    ...(context && { context }),
    ...(isActive && { mode: "active" as const }),
    ...identities,
    ...(include && { include }),
    ...(exclude && { exclude }),
  };
}
