import type { CompletedScan, ErrorBody } from "@glovebox/contract";
import { TRPCClientError } from "@trpc/client";
import { ACCOUNT_ID } from "../account.ts";
import { failureInWords } from "../calls/failure.ts";
import { signedInAgain } from "../calls/signed-out.ts";
import type { QueryError } from "../parts/states.tsx";
import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";

/** A report does not change, and is deleted with its scan. */
const reportOptions = (id: string) =>
  queryOptions<CompletedScan, QueryError>({
    queryKey: ["report", id],
    queryFn: ({ signal }) => loadReport(id, signal),
    staleTime: Infinity,
  });

/** A completed scan with its report: the file that the service passes through, which no tRPC call has to parse. */
export const useReport = (id: string): UseQueryResult<CompletedScan, QueryError> =>
  useQuery(reportOptions(id));

async function loadReport(id: string, signal: AbortSignal): Promise<CompletedScan> {
  const response = await respondedTo(() => fetch(`/admin/scan/${id}?account=${ACCOUNT_ID}`, { signal }));
  if (response.ok) return respondedTo(() => response.json() as Promise<CompletedScan>);
  const { error } = await respondedTo(() => response.json() as Promise<ErrorBody>);
  if (error.code === "unauthorized") {
    await signedInAgain();
    return loadReport(id, signal);
  }
  throw Object.assign(new Error(error.message), { data: { code: error.code } }); // as tRPC gives them
}

/** A failure before the service has responded, in the words of other calls. */
const respondedTo = <T>(task: () => Promise<T>): Promise<T> =>
  task().catch((cause: Error) => {
    throw failureInWords(TRPCClientError.from(cause));
  });
