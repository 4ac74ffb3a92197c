import { ApiError, planIncludes, type Plan } from "@glovebox/contract";
import type { Services } from "../deps.ts";

/** Whether scans of a plan may have identities, and saved sets be made; the reason where not. */
export function refusalOfIdentities(
  { store }: Pick<Services, "store">,
  plan: Plan,
): "plan" | "installation" | undefined {
  if (!planIncludes(plan, "authenticatedScanning")) return "plan";
  return store.identities.isAvailable ? undefined : "installation";
}

const REFUSALS = {
  plan: "The plan does not include authenticated scanning.",
  installation:
    "Identities are disabled in this installation: it has no key to encrypt them (GLOVEBOX_IDENTITY_KEY_FILE).",
};

/** @throws ApiError `forbidden` where the plan has no identities, or the installation cannot store them */
export function requireIdentities(services: Pick<Services, "store">, plan: Plan): void {
  const refusal = refusalOfIdentities(services, plan);
  if (refusal) throw new ApiError("forbidden", REFUSALS[refusal]);
}
