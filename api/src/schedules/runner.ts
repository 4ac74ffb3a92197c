import { ApiError, newScanId } from "@glovebox/contract";
import { decideRun } from "@glovebox/domain/schedule";
import {
  requestOf,
  serviceActor,
  type Account,
  type Change,
  type ClaimedSchedule,
  type ScheduleDecision,
  type SubmitResult,
} from "@glovebox/store";
import { PeriodicTask } from "../background/periodic-task.ts";
import { stopCancelled } from "../scans/delete-scan.ts";
import { identitiesOf } from "../identities/identity-source.ts";
import { startScan, type Submitting } from "../scans/submit-scan.ts";
import { signedInAs } from "./identities.ts";
import { requireTiming } from "./timing.ts";

const POLL_MS = 5_000;
/** Longer than a decision with its lookups of names can take. */
const CLAIM_SECONDS = 60;
/** Decided at a time by this process. */
const BATCH = 8;

/** Starts the scans of schedules: claims those that are due, decides, submits, and records each run (docs/adr/0026). */
export function createScheduleRunner(services: Submitting): Pick<PeriodicTask, "start" | "run" | "stop"> {
  const { store, logger } = services;
  let isStopped = false;
  const onFailure = (error: unknown): void =>
    logger.warn({ error: (error as Error).name }, "schedule could not be evaluated, retrying");
  const task = new PeriodicTask({
    async task() {
      let claimed: ClaimedSchedule[];
      do {
        claimed = await store.scheduleRuns.claim(CLAIM_SECONDS, BATCH);
        await Promise.all(claimed.map((schedule) => decide(schedule, services).catch(onFailure)));
      } while (claimed.length === BATCH && !isStopped);
    },
    onFailure,
    ...{ firstMs: POLL_MS, everyMs: POLL_MS, jitter: 0.2 },
  });
  return {
    start: () => task.start(),
    run: () => task.run(),
    stop() {
      isStopped = true;
      return task.stop();
    },
  };
}

/** Rejects when nothing could be decided: after the claim, a process tries again. */
async function decide(schedule: ClaimedSchedule, services: Submitting): Promise<void> {
  const { decidedUntil: after, claimedAt: now, running } = schedule;
  const { due, ...decided } = decideRun(schedule, { after, now, isRunning: running.length > 0 });
  const record = async (run?: NonNullable<ScheduleDecision["run"]>): Promise<void> => {
    const decision = { ...decided, run };
    if (await services.store.scheduleRuns.record(schedule, decision)) count(services, decision);
  };
  if (!due) return record();
  const run = { scheduledAt: due.slot, code: null, reason: null, scanId: null };
  if (due.action === "skip")
    return record({ ...run, outcome: "skipped", reason: "The previous scan had not ended." });

  const scanId = newScanId(now);
  const decision = { ...decided, run: { ...run, outcome: "started" as const, scanId } };
  const replaced = due.action === "replace" ? running : [];
  const refusal = await start(schedule, services, { decision, scanId, replaced });
  if (refusal) await record({ ...run, outcome: "failed", code: refusal.code, reason: refusal.message });
}

interface Start {
  readonly decision: ScheduleDecision;
  readonly scanId: string;
  /** Scans to cancel. */
  readonly replaced: readonly string[];
}

/**
 * Submits as `POST /v1/scan` does, in one transaction with the record of the run: a process that is killed leaves both or neither.
 * Returns why the scan was refused.
 */
async function start(
  schedule: ClaimedSchedule,
  services: Submitting,
  { decision, scanId, replaced }: Start,
): Promise<ApiError | undefined> {
  const { store } = services;
  const cancelled: string[] = [];
  try {
    const account = await allowedAccount(schedule, services);
    const actor = serviceActor(`schedule ${schedule.name}`);
    const file = await identitiesOf(services, account, signedInAs(schedule));
    await startScan(services, { id: scanId, account, actor, ...requestOf(schedule), ...file }, (submission) =>
      store.changing(
        actor,
        account.id,
      )(async ({ scans, scheduleRuns }): Promise<Change<SubmitResult>> => {
        const result = await scans.submit(submission);
        if (result.outcome !== "created") return { result, entry: null };
        if (!(await scheduleRuns.record(schedule, decision))) throw new ClaimLost();
        for (const id of replaced) if (await scans.cancel(account.id, id)) cancelled.push(id);
        const entry = { action: "scan.cancel", subject: cancelled.join(", "), after: { replacedBy: scanId } };
        return { result, entry: cancelled.length > 0 ? entry : null };
      }),
    );
  } catch (error) {
    if (error instanceof ClaimLost) return undefined;
    if (error instanceof ApiError && error.code !== "unavailable") return error;
    throw error;
  }
  count(services, decision);
  for (const id of cancelled) await stopCancelled(services, id);
  return undefined;
}

/** The schedule was changed, removed, or claimed by another process. */
class ClaimLost extends Error {}

/** @throws ApiError where the account, or its plan, no longer includes the schedule */
async function allowedAccount(
  { accountId, claimedAt, ...timing }: ClaimedSchedule,
  { store }: Submitting,
): Promise<Account> {
  const account = await store.accounts.findById(accountId);
  if (!account || account.suspendedAt) throw new ApiError("forbidden", "The account is suspended.");
  requireTiming(account.plan, timing, claimedAt);
  return account;
}

function count({ metrics }: Submitting, { missed, run }: ScheduleDecision): void {
  metrics.scheduleRuns.inc({ outcome: "missed" }, missed);
  if (run) metrics.scheduleRuns.inc({ outcome: run.outcome });
}
