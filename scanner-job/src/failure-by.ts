import { scanFailure, type ScanFailure } from "@glovebox/contract";
import { IdentityRejected } from "./identities/callers.ts";
import { SpecUnusable } from "./inventory/given-document.ts";
import { NothingSelected } from "./inventory/selection.ts";
import { FAILURE_OF, NetworkError } from "./transport/network-error.ts";

/** The failure that an error means. @throws the error where it is one of the scanner itself */
export function failureBy(error: unknown): ScanFailure {
  if (error instanceof IdentityRejected) return scanFailure("identity_rejected", `${error.message}.`);
  if (error instanceof NothingSelected) return scanFailure("nothing_tested", error.message);
  if (error instanceof SpecUnusable) return scanFailure("spec_unusable", error.message);
  if (error instanceof NetworkError) return scanFailure(FAILURE_OF[error.kind], `${error.message}.`);
  throw error;
}
