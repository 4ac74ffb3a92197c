import type { Check } from "../../engine/check.ts";
import docsScriptsWithoutIntegrity from "./docs-scripts-without-integrity.ts";
import insecureUpstreamAddresses from "./insecure-upstream-addresses.ts";
import thirdPartyRedirect from "./third-party-redirect.ts";
import upstreamErrorForwarded from "./upstream-error-forwarded.ts";

export const unsafeConsumptionChecks: readonly Check[] = [
  insecureUpstreamAddresses,
  thirdPartyRedirect,
  upstreamErrorForwarded,
  docsScriptsWithoutIntegrity,
];
