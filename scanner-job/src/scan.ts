import {
  MAX_REQUESTS,
  notesOnPins,
  scanFailure,
  type AddressFamily,
  type Category,
  type Report,
  type ScanFailure,
  type ScanOrder,
} from "@glovebox/contract";
import { type Outcome } from "@glovebox/scan-run";
import { cancellation, cleaned } from "./active/ending.ts";
import { divided } from "./active/reserve.ts";
import { CHECKS } from "./checks/index.ts";
import { connect, type ConnectDeps, type Connection } from "./connect.ts";
import type { Check, TargetProfile } from "./engine/check.ts";
import { CrashReporter } from "./engine/crash.ts";
import { testedIn } from "./engine/coverage.ts";
import { reportOf } from "./engine/report.ts";
import { createProbe } from "./engine/probe.ts";
import { AccountAttempts } from "./inventory/account-attempts.ts";
import { exhaustionIn, notesOnEnd, remaining } from "./engine/left-out.ts";
import { runChecks } from "./engine/runner.ts";
import type { Run } from "./engine/result.ts";
import { createSupervisor, type Loss } from "./engine/supervisor.ts";
import { sideEffectsOf, writeResults } from "./engine/side-effects.ts";
import { lossOf, superviseTarget } from "./engine/target-health.ts";
import { failureOf } from "./engine/nothing-tested.ts";
import { failureBy } from "./failure-by.ts";
import { valuesByCaller } from "./identities/caller-values.ts";
import { notesOnScope, scopeOf } from "./engine/scope.ts";
import { routeOf } from "./inventory/routes.ts";
import { type IsolationDeps, proveIsolation } from "./isolation/prove-isolation.ts";
import { returnsOnlyErrors, profileTarget } from "./profile.ts";
import { checksOf, isNamedIn, readsNamedIn } from "./only.ts";
import { sendPatiently } from "./transport/retries.ts";

export interface ScanDeps extends Pick<ConnectDeps, "onWrite"> {
  readonly checks: readonly Check[];
  readonly onProgress: (category: Category, done: number, planned: number) => void;
  readonly reach: IsolationDeps["reach"];
  readonly onFault: (check: Check, error: unknown) => void;
  /** Address families of this machine, in which the isolation is proven. */
  readonly families: () => ReadonlySet<AddressFamily>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Resolves after this many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  readonly today: () => Date;
  /** Ends the scan; an active one cleans up first. */
  readonly cancelled?: AbortSignal;
}

/** Runs one scan order: proof of isolation, connection, calibration, inventory, checks, score. Always returns an outcome. */
export async function scan(order: ScanOrder, deps: ScanDeps): Promise<Outcome> {
  const { isolation } = order;
  const isolationLost = new AbortController();
  if (!isolation) return connectAndScan(order, deps, isolationLost.signal);
  const { reach, families, now, wait, today } = deps;
  let scanning: Promise<Outcome> | undefined;
  const begin = (): Promise<Outcome> => (scanning ??= connectAndScan(order, deps, isolationLost.signal));
  const { proof, failure } = await proveIsolation(
    { ...order, isolation },
    // What becomes of it is asked once the proof is there.
    { reach, families, now, today, wait, onBlocked: () => void begin().catch(() => {}) },
  );
  if (failure) {
    isolationLost.abort();
    await scanning?.catch(() => {});
    return { status: "failed", failure };
  }
  const outcome = await begin();
  if (outcome.status === "failed") return outcome;
  return { status: "completed", report: { ...outcome.report, isolation: proof } };
}

async function connectAndScan(order: ScanOrder, deps: ScanDeps, stop: AbortSignal): Promise<Outcome> {
  const { report, failure } = await examineTarget(order, deps, stop);
  return failure ? { status: "failed", failure } : { status: "completed", report };
}

/** The outcome of a scan: a report, a failure instead of it, or a failure with a report of too little coverage. */
export type Examination =
  | { readonly report?: Report; readonly failure: ScanFailure }
  | { readonly report: Report; readonly failure?: undefined };

/** Sends nothing more once the signal has aborted. @internal */
export async function examineTarget(
  order: ScanOrder,
  deps: ScanDeps,
  stop: AbortSignal,
): Promise<Examination> {
  const limits = order.mode === "active" ? divided(order.limits).scan : order.limits;
  const { now, today, wait, cancelled = new AbortController().signal } = deps;
  const signal = AbortSignal.any([AbortSignal.timeout(limits.deadlineSeconds * 1000), stop, cancelled]);
  const connection = connect(order, { signal, now, today, wait, onWrite: deps.onWrite });
  try {
    const examining = examinedThrough(connection, { ...order, limits }, deps);
    const examination = await Promise.race([examining, cancellation(cancelled)]);
    // Without its isolation the scan sends nothing at all.
    return connection.masked(stop.aborted ? examination : await cleaned(connection, examination));
  } catch (error) {
    await cleaned(connection, { failure: scanFailure("scanner_crashed") });
    throw error;
  } finally {
    await connection.transport.close();
  }
}

async function examinedThrough(
  connection: Connection,
  order: ScanOrder,
  deps: ScanDeps,
): Promise<Examination> {
  try {
    await connection.signIn();
    return await examineThrough(connection, order, deps);
  } catch (error) {
    // Only the sign-in and profiling let an error out: without them there is nothing to report on.
    return { failure: failureBy(error) };
  }
}

async function examineThrough(
  connection: Connection,
  order: ScanOrder,
  deps: ScanDeps,
): Promise<Examination> {
  const { transport } = connection;
  const started = deps.now();
  const { profile, notes, operations } = await profileTarget(connection, order);
  if (order.resumption?.cleanUpOnly) return { failure: scanFailure("scanner_crashed") };
  if (returnsOnlyErrors(profile))
    return { failure: scanFailure("target_errors", `It returned status ${profile.entry.status}.`) };
  for (const facts of readsNamedIn(order.only)) operations.add(facts);
  const limits = limitsFor(profile.operations.length, order.limits);
  transport.allow(limits.maxRequests);
  const checks = checksOf(order, deps.checks);
  const newValues = () => valuesByCaller(profile, sendPatiently(transport.send.bind(transport)));
  let values = newValues();
  const accounts = new AccountAttempts(profile.operations);
  const onOperation = operations.add.bind(operations);
  const health = superviseTarget(transport, profile, {
    ...deps,
    patienceSeconds: order.limits.deadlineSeconds * PATIENCE,
    onRecovered: () => (values = newValues()),
  });
  const supervisor = createSupervisor(health);
  const run = await runChecks({
    ...deps,
    profile,
    checks,
    isRead: isNamedIn(order.only),
    probe: ({ pass, subject, caller, ...heard }) =>
      createProbe(
        {
          ...{ profile, transport, ...heard, accounts, onOperation },
          ...values(profile.baselineCaller),
          valuesOf: values,
        },
        { pass, subject, caller },
      ),
    supervisor,
    maxPerOperation: limits.maxRequestsPerOperation,
    budget: () => remaining(limits, transport.requestsSent, deps.now() - started),
    crashes: new CrashReporter(checks, { profile, transport }),
    isPaused: (operation) => transport.isPaused(routeOf(operation)),
  });
  const loss = lossOf(supervisor, transport);
  const durationMs = deps.now() - started;
  return conclude(connection, { ...order, limits }, { profile, notes, checks, run, loss, durationMs });
}

/** The limits of a scan of this many operations. */
const limitsFor = (operations: number, limits: ScanOrder["limits"]): ScanOrder["limits"] => ({
  ...limits,
  maxRequests: Math.max(
    limits.maxRequests,
    Math.min(MAX_REQUESTS, operations * (limits.requestsPerOperation ?? 0)),
  ),
});

/** What the checks came to. */
interface Examined {
  readonly profile: TargetProfile;
  readonly notes: readonly string[];
  readonly checks: readonly Check[];
  readonly run: Run;
  readonly loss: Loss | undefined;
  readonly durationMs: number;
}

function conclude(
  { transport, writes, selection }: Connection,
  order: ScanOrder,
  { profile, notes, checks, run, loss, durationMs }: Examined,
): Examination {
  const results = [...run.results, ...writeResults(checks, writes, profile)];
  // Of every check there is: a scan of some of them has not tested what the others would.
  const tested = testedIn(profile, { ...run, results }, CHECKS);
  const exhaustion = exhaustionIn(results);
  const report = reportOf({
    checks,
    results,
    profile,
    tested,
    access: run.access,
    exhaustion,
    sideEffects: sideEffectsOf(writes.stored),
    notes: [
      ...notesOnPins(order.pins),
      ...notes,
      ...notesOnScope(selection),
      ...notesOnEnd(results, order.limits),
    ],
    scope: scopeOf(selection),
    ...{ mode: order.mode, requests: transport.requestsSent, durationMs },
  });
  // Each subject to be examined again has its own reason if it could not be.
  if (order.only) return { report };
  const failure = failureOf({ profile, tested, findings: report.findings, loss, exhaustion });
  return failure ? { report, failure } : { report };
}

/** Fraction of the scan's time that it waits for a target to recover. */
const PATIENCE = 0.3;
