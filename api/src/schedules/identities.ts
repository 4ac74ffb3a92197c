import { ApiError } from "@glovebox/contract";
import type { Account, ScheduleTerms } from "@glovebox/store";
import type { Services } from "../deps.ts";
import { noSuchSet, requireIdentities } from "../identities/identity-source.ts";

type Named = Pick<ScheduleTerms, "url" | "identitySet">;

/** As whom a scan of the schedule is submitted. */
export const signedInAs = ({ url, identitySet }: Named) => ({
  url,
  ...(identitySet !== null && { identitySet }),
});

/** By the id of the schedule: why its next run will be refused, as far as its identities decide that, and as the run will say it. */
export async function problemsOf(
  { store }: Pick<Services, "store">,
  account: Pick<Account, "id" | "plan">,
  schedules: readonly (Named & { readonly id: string })[],
): Promise<ReadonlyMap<string, string>> {
  const signedIn = schedules.filter(({ identitySet }) => identitySet !== null);
  if (signedIn.length === 0) return new Map();
  const withdrawn = refusalOf(() => requireIdentities({ store }, account.plan));
  if (withdrawn !== undefined) return new Map(signedIn.map(({ id }) => [id, withdrawn]));
  const sets = await store.identitySets.list(account.id);
  const missing = signedIn.filter(
    ({ url, identitySet }) =>
      !sets.some(({ origin, name }) => name === identitySet && origin === new URL(url).origin),
  );
  return new Map(missing.map(({ id }) => [id, noSuchSet().message]));
}

function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
