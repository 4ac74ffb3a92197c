import type { CompletedScan, ErrorBody } from "@glovebox/contract";
import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";

/** A report does not change, and is gone with its scan. */
const reportOptions = (id: string) =>
  queryOptions({
    queryKey: ["report", id],
    queryFn: ({ signal }) => loadReport(id, signal),
    staleTime: Infinity,
  });

/** A completed scan with its report: the file that the service passes through, which no tRPC call has to parse. */
export const useReport = (id: string): UseQueryResult<CompletedScan> => useQuery(reportOptions(id));

async function loadReport(id: string, signal: AbortSignal): Promise<CompletedScan> {
  const response = await fetch(`/admin/scan/${id}`, { signal });
  if (response.ok) return (await response.json()) as CompletedScan;
  const { error } = (await response.json()) as ErrorBody;
  throw Object.assign(new Error(error.message), { data: { code: error.code } }); // as tRPC gives them
}
