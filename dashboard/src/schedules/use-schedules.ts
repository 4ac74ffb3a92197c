import { useQuery } from "@tanstack/react-query";
import { trpc } from "../trpc.ts";

/** The schedules of the account; not asked for where the plan does not include them. */
export function useSchedules() {
  const { data: account } = useQuery(trpc.account.get.queryOptions({}));
  const isIncluded = account?.features.includes("schedules");
  const query = useQuery(trpc.schedules.list.queryOptions({}, { enabled: isIncluded === true }));
  return { query, isIncluded };
}
