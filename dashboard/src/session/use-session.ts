import type { AccountPermission } from "@glovebox/api/admin";
import { useQuery } from "@tanstack/react-query";
import { trpc, type Outputs } from "../trpc.ts";

export type SignedInUser = Outputs["session"]["me"];

export const useSessionQuery = () => useQuery(trpc.session.me.queryOptions({}));

/** Who is signed in; undefined until it is known. */
export const useSession = (): SignedInUser | undefined => useSessionQuery().data;

/** Whether the user may do this in the account of this page; the server decides again at every request. */
export const usePermission = (permission: AccountPermission): boolean =>
  useSession()?.permissions.includes(permission) ?? false;
