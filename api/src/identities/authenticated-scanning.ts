import { ApiError, planIncludes, type Plan } from "@glovebox/contract";
import type { Services } from "../deps.ts";

/** @throws ApiError `forbidden` where the plan has no identities, or the installation cannot store them */
export function requireIdentities({ store }: Pick<Services, "store">, plan: Plan): void {
  if (!planIncludes(plan, "authenticatedScanning"))
    throw new ApiError("forbidden", "The plan does not include authenticated scanning.");
  if (!store.identities.isAvailable)
    throw new ApiError(
      "forbidden",
      "Identities are disabled in this installation: it has no key to encrypt them (GLOVEBOX_IDENTITY_KEY_FILE).",
    );
}
