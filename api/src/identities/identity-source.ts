import {
  ApiError,
  planIncludes,
  type IdentitiesFile,
  type Plan,
  type ScanSubmission,
} from "@glovebox/contract";
import { IdentitiesUnreadable, type Account } from "@glovebox/store";
import type { Services } from "../deps.ts";

type Parts = Pick<Services, "store">;
type Asked = Pick<ScanSubmission, "url" | "identities" | "expectations" | "identitySet">;

/** @throws ApiError `forbidden` where the plan has no identities, or the installation cannot store them */
export function requireIdentities({ store }: Parts, plan: Plan): void {
  if (!planIncludes(plan, "authenticatedScanning"))
    throw new ApiError("forbidden", "The plan does not include authenticated scanning.");
  if (!store.identities.isAvailable)
    throw new ApiError(
      "forbidden",
      "Identities are disabled in this installation: it has no key to encrypt them (GLOVEBOX_IDENTITY_KEY_FILE).",
    );
}

/**
 * As whom a request scans: the identities that it has, or those of the saved set that it names. Empty: as nobody.
 * @throws ApiError `forbidden` as above, and `invalid_request` where no set of this name belongs to the target, or its key was removed
 */
export async function identitiesOf(
  parts: Parts,
  account: Pick<Account, "id" | "plan">,
  { url, identities, expectations, identitySet }: Asked,
): Promise<Partial<IdentitiesFile>> {
  if (identities === undefined && identitySet === undefined) return {};
  requireIdentities(parts, account.plan);
  if (identities) return { identities, expectations };
  const key = { origin: new URL(url).origin, name: identitySet! };
  const set = await parts.store.identitySets.get(account.id, key).catch(unreadable);
  if (!set) throw noSuchSet();
  return set;
}

/** Credentials go to the target alone that they were saved for. */
export const noSuchSet = (): ApiError =>
  new ApiError("invalid_request", "is not a saved set of this target", { field: "identitySet" });

function unreadable(error: unknown): never {
  if (!(error instanceof IdentitiesUnreadable)) throw error;
  const message = "cannot be decrypted: its key was removed; delete the set and save it again";
  throw new ApiError("invalid_request", message, { field: "identitySet", cause: error });
}
