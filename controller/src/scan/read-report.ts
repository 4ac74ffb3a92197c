import { FrameReader, MAX_OUTCOME_BYTES, type Outcome } from "@glovebox/contract";
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
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** An outcome and as much again for progress and for what else a scanner may say. */
const MOST_LOG_BYTES = 4 * MAX_OUTCOME_BYTES;

/**
 * Pauses before another look at what does not add up. An answer may be cut on its way without an error, a runtime may
 * still write down what the container has said, and the cache may show the pod later than its Job; a scan that took
 * minutes is worth a few looks.
 */
const PAUSES_MS = [500, 2_000];

/**
 * The report of an attempt, from the first of its pods that has it in its termination message, or a log that adds up to the
 * digest there.
 * `lost` when none does, or no pod is left.
 * @throws KubeError when the API server could not say, or Error when the end of a pod is not seen yet: ask again.
 */
export async function readReport(
  { scanId, attempt }: { readonly scanId: string; readonly attempt: number },
  deps: ReadReportDeps,
): Promise<ReportAnswer> {
  for (const pause of [...PAUSES_MS, undefined]) {
    const found = await firstOf(deps.podsOf(scanId, attempt), deps.logs);
    if (found.is === "whole") return { attempt, how: "delivered", outcome: found.outcome };
    if (found.is === "lost") return { attempt, how: "lost", detail: found.detail };
    if (pause !== undefined) await deps.wait(pause);
    else if (found.is === "cut")
      return { attempt, how: "lost", detail: "Its log does not add up to its digest." };
  }
  throw new Error("The pod is not seen to have ended yet");
}

type Found =
  | { readonly is: "whole"; readonly outcome: Outcome }
  /** Looking again may help. */
  | { readonly is: "cut" | "running" }
  | { readonly is: "lost"; readonly detail: string };

/** The whole report of one of them, or else what gives most hope for another look. */
async function firstOf(pods: readonly Wire<V1Pod>[], logs: ReadReportDeps["logs"]): Promise<Found> {
  let best: Found = { is: "lost", detail: "Its pod was deleted." };
  for (const pod of pods) {
    const found = await reportOf(pod, logs);
    if (found.is === "whole") return found;
    if (found.is !== "lost" || best.is === "lost") best = found;
  }
  return best;
}

async function reportOf(pod: Wire<V1Pod>, logs: ReadReportDeps["logs"]): Promise<Found> {
  // The digest must not come the same way as what it is to prove: an ending in the log alone is not believed.
  const message = terminationMessageOf(pod);
  if (message === undefined)
    return hasEnded(pod) ? { is: "lost", detail: "It left no digest." } : { is: "running" };
  const small = outcomeOf(message);
  if (small) return { is: "whole", outcome: small };
  const log = await logOf(pod, logs);
  if (log === undefined) return { is: "lost", detail: "Its log is gone." };
  const outcome = outcomeOf(message, log.toString("utf8"));
  return outcome ? { is: "whole", outcome } : { is: "cut" };
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

/** The termination message comes first: no ending after it counts. */
function outcomeOf(terminationMessage: string, log = ""): Outcome | undefined {
  const reader = new FrameReader();
  for (const line of terminationMessage.split("\n")) reader.line(line);
  if (!reader.hasEnding) return undefined;
  for (const line of log.split("\n")) reader.line(line);
  const outcome = reader.outcome();
  const isLost = outcome.status === "failed" && outcome.failure.code === "result_lost";
  return isLost ? undefined : outcome;
}

/** By its name: a mesh may have put a container of its own beside it. */
const terminationMessageOf = ({ status }: Wire<V1Pod>): string | undefined =>
  status?.containerStatuses?.find(({ name }) => name === SCANNER_CONTAINER)?.state?.terminated?.message;

const hasEnded = ({ status }: Wire<V1Pod>): boolean =>
  status?.phase === "Succeeded" || status?.phase === "Failed";
