import { ANNOTATIONS, claimsRow, identitiesSecretName, scanOfIdentitiesSecret } from "@glovebox/k8s";
import type { Action } from "../plan.ts";
import { currentAttemptView, isInScanNamespace, type World } from "../world.ts";
import { fail, type Rule } from "./rule.ts";

/** The Secret whose identities the scan signs in as. */
export const identitiesSecretOf = ({ scan }: World): string | undefined =>
  scan.spec.identitiesSecretRef?.name;

/**
 * Why the Scan may not use the Secret that it names; undefined if it may, or names none. Whoever may create Scans in the scan namespace
 * may use its Secrets, but not those that the API creates: they hold the identities of clients, each for one scan.
 */
export function identitiesError(world: World): string | undefined {
  const secret = identitiesSecretOf(world);
  if (secret === undefined || secret === ownSecretOf(world)) return undefined;
  if (scanOfIdentitiesSecret(secret) !== undefined) return `The Secret ${secret} is for another scan.`;
  if (isInScanNamespace(world) || world.allowedSecrets?.has(secret)) return undefined;
  const { namespace } = world.scan.metadata;
  return `The annotation ${ANNOTATIONS.identities} of the namespace ${namespace} does not list the Secret ${secret}.`;
}

/** The Secret that the API created for this Scan, and that ends with the scan. */
function ownSecretOf(world: World): string | undefined {
  const own = identitiesSecretName(world.scanId);
  const isMadeByApi = isInScanNamespace(world) && claimsRow(world.scan);
  return isMadeByApi && identitiesSecretOf(world) === own ? own : undefined;
}

/**
 * The permission is checked once more with the spec by which the Job is created: before the scan was accepted, the spec could be
 * changed, and the namespace may have lost the permission.
 */
export const identitiesWithdrawn: Rule = (world) => {
  if (currentAttemptView(world).job) return undefined;
  const error = identitiesError(world);
  return error === undefined ? undefined : fail("identitiesWithdrawn", "could_not_start", error);
};

/** Before the status says that the scan has ended: a Secret that could not be deleted is deleted by the next reconciliation. */
export const deletionOfIdentities = (world: World): Action[] => {
  const secret = ownSecretOf(world);
  return secret === undefined ? [] : [{ do: "deleteIdentities", secret }];
};
