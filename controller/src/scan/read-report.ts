import {
  type DeliveredOutcome,
  MAX_LOG_BYTES,
  type OutcomeReader,
  type ScannerOutput,
} from "@glovebox/scan-run";
import { KubeError, type PodLogs, atMost } from "@glovebox/kube";
import type { Pod } from "../kubernetes/api-client.ts";
import { hasPodEnded, SCANNER_CONTAINER } from "../kubernetes/pod-view.ts";
import type { ReportResponse } from "./world.ts";

export interface ReadReportDeps {
  readonly logs: Pick<PodLogs, "read">;
  readonly outcomes: Pick<OutcomeReader, "read">;
  /** The pods of a Job, from the cache. */
  readonly podsOf: (jobUid: string) => readonly Pod[];
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Limit of logs in memory, each of up to `MAX_LOG_BYTES`. */
const MAX_LOGS = 2;

/**
 * Pauses before the retries of an incomplete read. A response may be truncated without an error, the container runtime may not have
 * written the whole log yet, and the cache may show the pod later than its Job.
 */
const PAUSES_MS = [500, 2_000];

/**
 * Creates the reader of reports. It reads the report of an attempt from the first pod of its Job that has it in its termination
 * message, or whose log matches the digest there. `lost` if there is none, or no pod is left; `malformed` if it is not a valid
 * report.
 * @throws KubeError when the API server fails, or Error when the cache does not show the end of a pod yet, or the decoder could not
 * be started: retry.
 */
export function reportReader(
  deps: ReadReportDeps,
): (attempt: number, jobUid: string) => Promise<ReportResponse> {
  const limitLogs = atMost(MAX_LOGS);
  const read: Read = ({ log, message }) =>
    log
      ? limitLogs(async () => {
          const bytes = await logOf(log, deps.logs);
          return bytes && deps.outcomes.read({ message, log: bytes });
        })
      : deps.outcomes.read({ message });
  return async (attempt, jobUid) => {
    for (const pause of [...PAUSES_MS, undefined]) {
      const found = await firstOf(deps.podsOf(jobUid), read);
      if (found.is === "whole") return { attempt, how: "delivered", outcome: found.outcome };
      if ("detail" in found) return { attempt, how: found.is, detail: found.detail };
      if (pause !== undefined) await deps.wait(pause);
      else if (found.is === "cut")
        return { attempt, how: "lost", detail: "Its log does not match its digest." };
    }
    throw new Error("The cache does not show yet that the pod has ended");
  };
}

/** Decodes the termination message, alone or with the log of the pod; undefined if the log no longer exists. */
type Read = (output: {
  readonly message: string;
  readonly log?: Pod;
}) => Promise<Awaited<ReturnType<OutcomeReader["read"]>> | undefined>;

type Found =
  | { readonly is: "whole"; readonly outcome: DeliveredOutcome }
  /** A retry may succeed. */
  | { readonly is: "cut" | "running" }
  | { readonly is: "malformed" | "lost"; readonly detail: string };

/** The report of one of the pods, or else a result that can be retried, if any. */
async function firstOf(pods: readonly Pod[], read: Read): Promise<Found> {
  let best: Found = { is: "lost", detail: "Its pod was deleted." };
  for (const pod of pods) {
    const found = await reportOf(pod, read);
    if (found.is === "whole" || found.is === "malformed") return found;
    if (found.is !== "lost" || best.is === "lost") best = found;
  }
  return best;
}

async function reportOf(pod: Pod, read: Read): Promise<Found> {
  // The digest must not come from the same source as the data: an ending in the log alone does not count.
  const message = terminationMessageOf(pod);
  if (message === undefined)
    return hasPodEnded(pod)
      ? { is: "lost", detail: "It has no termination message with a digest." }
      : { is: "running" };
  const small = await read({ message });
  if (small?.is === "unfinished") return { is: "cut" };
  if (small && small.is !== "cut") return small;
  const whole = await read({ message, log: pod });
  if (!whole) return { is: "lost", detail: "Its log was deleted." };
  return whole.is === "unfinished" ? { is: "cut" } : whole;
}

/** The log; undefined if the pod or its container does not exist (any more). */
export async function logOf({ metadata }: Pod, logs: ReadReportDeps["logs"]): Promise<ScannerOutput["log"]> {
  const { namespace = "", name = "" } = metadata ?? {};
  try {
    return await logs.read({ namespace, name, container: SCANNER_CONTAINER, limitBytes: MAX_LOG_BYTES });
  } catch (error) {
    if (error instanceof KubeError && (error.code === 404 || error.code === 400)) return undefined;
    throw error;
  }
}

/** By the name of the container, because a service mesh may have injected another one. */
const terminationMessageOf = ({ status }: Pod): string | undefined =>
  status?.containerStatuses?.find(({ name }) => name === SCANNER_CONTAINER)?.state?.terminated?.message;
