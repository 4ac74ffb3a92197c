import type { Check } from "../../engine/check.ts";
import declaredCallbacks from "./declared-callbacks.ts";
import fullResponseFetch from "./full-response-fetch.ts";
import hostRoutedMetadata from "./host-routed-metadata.ts";
import inBandDifferential from "./in-band-differential.ts";
import metadataReachable from "./metadata-reachable.ts";

export const ssrfChecks: readonly Check[] = [
  metadataReachable,
  hostRoutedMetadata,
  fullResponseFetch,
  inBandDifferential,
  declaredCallbacks,
];
