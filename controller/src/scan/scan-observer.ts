import { API_VERSION, KIND, type ScanStatus } from "@glovebox/k8s";
import type { Logger } from "pino";
import type { ControllerMetrics } from "../process/metrics.ts";
import type { EventRecorder } from "@glovebox/kube";
import { eventsOf } from "./events.ts";
import { isQuery, nameOfAction } from "./plan.ts";
import type { ReconcileObserver } from "./reconcile.ts";
import type { ReportResponse, World } from "./world.ts";

/** Reports decisions and actions in the log, the metrics and the events of the Scan. */
export const scanObserver = ({
  logger,
  metrics,
  events,
}: {
  readonly logger: Logger;
  readonly metrics: ControllerMetrics;
  readonly events: Pick<EventRecorder, "record">;
}): ReconcileObserver => ({
  decided({ rule, actions }, { scanId }) {
    logger.debug({ scan: scanId, rule, actions: actions.map(nameOfAction) }, "decided");
  },
  performed(action, world, { responses }) {
    metrics.calls.inc({ action: nameOfAction(action) });
    if (responses?.report) noteReport(responses.report, metrics);
    if (isQuery(action) || action.do !== "patchStatus") return;
    const { status } = action;
    notePhases(world, status, metrics);
    for (const event of eventsOf(world.scan.status, status))
      events.record({ regarding: regarding(world), ...event });
    if (status.finishedAt === undefined) return;
    const outcome = outcomeLabel(status);
    metrics.scansFinished.inc({ outcome });
    logger.info({ scan: world.scanId, outcome, attempt: status.attempt }, "scan finished");
  },
});

function noteReport(
  report: ReportResponse,
  { resultsLost, reportsMalformed, policyDelay }: ControllerMetrics,
): void {
  if (report.how === "lost") return resultsLost.inc();
  if (report.how === "malformed") return reportsMalformed.inc();
  const { outcome } = report;
  const proof = outcome.status === "completed" ? outcome.report.isolation : undefined;
  if (proof) policyDelay.observe(proof.elapsedMs / 1000);
}

/** A scan that was not accepted has no recorded failure. */
const outcomeLabel = ({ phase, failure }: ScanStatus): string =>
  phase === "Completed" ? "completed" : (failure?.code ?? "not_accepted");

function notePhases({ scan }: World, status: ScanStatus, { phaseSeconds }: ControllerMetrics): void {
  const { startedAt, finishedAt } = status;
  const note = (phase: string, [from, to]: [string, string]): void =>
    phaseSeconds.observe({ phase }, Math.max(0, Date.parse(to) - Date.parse(from)) / 1000);
  if (startedAt && !scan.status?.startedAt) note("Pending", [scan.metadata.creationTimestamp, startedAt]);
  if (startedAt && finishedAt) note("Running", [startedAt, finishedAt]);
}

const regarding = ({ scan: { metadata } }: World) => ({
  apiVersion: API_VERSION,
  kind: KIND,
  namespace: metadata.namespace,
  name: metadata.name,
  uid: metadata.uid,
});
