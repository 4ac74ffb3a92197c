import { FrameReader, MAX_OUTCOME_BYTES } from "@glovebox/contract";
import type { V1Pod } from "@kubernetes/client-node";
import { KubeError } from "../runtime/kube-error.ts";
import type { PodLogs } from "../runtime/pod-logs.ts";
import type { Wire } from "../runtime/resource.ts";
import { SCANNER_CONTAINER } from "./job-manifest.ts";
import type { ReportAnswer } from "./world.ts";

export interface ReadReportDeps {
  readonly logs: Pick<PodLogs, "read">;
  /** The pods of an attempt, from the cache. */
  readonly podsOf: (scanId: string, attempt: number) => readonly Wire<V1Pod>[];
}

/** An outcome and as much again for progress and for what else a scanner may say. */
const MOST_LOG_BYTES = 4 * MAX_OUTCOME_BYTES;

/**
 * The report of an attempt, from the first of its pods whose log adds up to the digest that came with it. `lost` when
 * none does, or no pod is left.
 * @throws KubeError when the API server could not say, so that it is asked again.
 */
export async function readReport(
  { scanId, attempt }: { readonly scanId: string; readonly attempt: number },
  { logs, podsOf }: ReadReportDeps,
): Promise<ReportAnswer> {
  const pods = podsOf(scanId, attempt);
  if (pods.length === 0) return { attempt, how: "lost", detail: "Its pod was deleted." };
  let detail = "Its log is gone.";
  for (const pod of pods) {
    const log = await logOf(pod, logs);
    if (log === undefined) continue;
    const outcome = outcomeOf(log, terminationMessageOf(pod));
    if (outcome) return { attempt, how: "delivered", outcome };
    detail = "Its log does not add up to its digest.";
  }
  return { attempt, how: "lost", detail };
}

/** The log, or none where there is no pod or no container (any more) to have one. */
async function logOf({ metadata }: Wire<V1Pod>, logs: ReadReportDeps["logs"]): Promise<Buffer | undefined> {
  const { namespace = "", name = "" } = metadata ?? {};
  try {
    return await logs.read({ namespace, name, container: SCANNER_CONTAINER, limitBytes: MOST_LOG_BYTES });
  } catch (error) {
    if (error instanceof KubeError && (error.code === 404 || error.code === 400)) return undefined;
    throw error;
  }
}

/** The termination message comes first: it holds the same ending as the log, which may be cut. */
function outcomeOf(log: Buffer, terminationMessage: string) {
  const reader = new FrameReader();
  reader.line(terminationMessage);
  for (const line of log.toString("utf8").split("\n")) reader.line(line);
  const outcome = reader.outcome();
  const isLost =
    outcome.status === "failed" && ["result_lost", "scanner_crashed"].includes(outcome.failure.code);
  return isLost ? undefined : outcome;
}

const terminationMessageOf = ({ status }: Wire<V1Pod>): string =>
  status?.containerStatuses?.[0]?.state?.terminated?.message ?? "";
