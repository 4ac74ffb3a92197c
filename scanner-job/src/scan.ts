import { readOf } from "./transport/exchange.ts";
import {
  DEFAULT_LIMITS,
  notesOnPins,
  scanFailure,
  type AddressFamily,
  type Category,
  type Outcome,
  type PlanFrame,
  type Report,
  type ScanFailure,
  type ScanOrder,
} from "@glovebox/contract";
import { CHECKS } from "./checks/index.ts";
import { calibrate } from "./oracles/not-found.ts";
import type { Check, TargetProfile } from "./engine/check.ts";
import { CrashReporter } from "./engine/crash.ts";
import { testedIn } from "./engine/coverage.ts";
import { reportOf } from "./engine/report.ts";
import { createProbe, newNonce } from "./engine/probe.ts";
import { interruptionsOf, runChecks } from "./engine/runner.ts";
import { createSupervisor } from "./engine/supervisor.ts";
import { lossOf, superviseTarget } from "./engine/target-health.ts";
import { failureOf } from "./engine/nothing-tested.ts";
import { createIdPool } from "./inventory/id-pool.ts";
import { createOrdinaryRequests } from "./inventory/ordinary-requests.ts";
import { takeInventory } from "./inventory/inventory.ts";
import { routeOf, Routes } from "./inventory/routes.ts";
import { KnownOperations } from "./inventory/known-operations.ts";
import { type IsolationDeps, proveIsolation } from "./isolation/prove-isolation.ts";
import { FAILURE_OF, NetworkError } from "./transport/network-error.ts";
import { isNamedIn, readsNamedIn, restrictedTo } from "./only.ts";
import { planOf } from "./plan.ts";
import { sendPatiently } from "./transport/retries.ts";
import { createTransport, type Transport } from "./transport/transport.ts";

export interface ScanDeps {
  readonly checks: readonly Check[];
  readonly onProgress: (category: Category, done: number, planned: number) => void;
  readonly reach: IsolationDeps["reach"];
  readonly onFault: (check: Check, error: unknown) => void;
  /** Address families of this machine, in which the isolation is proven. */
  readonly families: () => ReadonlySet<AddressFamily>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
  readonly today: () => Date;
}

/** The plan that an order requested, or why there is none. */
export async function plan(
  order: ScanOrder,
  { checks, now, today }: Pick<ScanDeps, "checks" | "now" | "today">,
): Promise<readonly PlanFrame[] | ScanFailure> {
  const signal = AbortSignal.timeout(order.limits.deadlineSeconds * 1000);
  const transport = createTransport({ order, signal, now, today });
  try {
    return await planOf(order, { transport, checks: restrictedTo(order.only, checks) });
  } catch (error) {
    if (error instanceof NetworkError) return scanFailure(FAILURE_OF[error.kind], `${error.message}.`);
    throw error;
  } finally {
    await transport.close();
  }
}

/** Runs one scan order: proof of isolation, connection, calibration, inventory, checks, score. Always returns an outcome. */
export async function scan(order: ScanOrder, deps: ScanDeps): Promise<Outcome> {
  const { isolation } = order;
  const unsealed = new AbortController();
  if (!isolation) return connectAndScan(order, deps, unsealed.signal);
  const { reach, families, now, wait, today } = deps;
  let scanning: Promise<Outcome> | undefined;
  const begin = (): Promise<Outcome> => (scanning ??= connectAndScan(order, deps, unsealed.signal));
  const { proof, failure } = await proveIsolation(
    { ...order, isolation },
    // What becomes of it is asked once the proof is there.
    { reach, families, now, today, wait, onBlocked: () => void begin().catch(() => {}) },
  );
  if (failure) {
    unsealed.abort();
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

/** The outcome of a scan: a report, a failure in place of it, or a failure with a report of too little coverage. */
export type Examination =
  | { readonly report?: Report; readonly failure: ScanFailure }
  | { readonly report: Report; readonly failure?: undefined };

/** Sends nothing more once the signal has aborted. */
export async function examineTarget(
  order: ScanOrder,
  deps: ScanDeps,
  stop: AbortSignal,
): Promise<Examination> {
  const signal = AbortSignal.any([AbortSignal.timeout(order.limits.deadlineSeconds * 1000), stop]);
  const { now, today, wait } = deps;
  const transport = createTransport({ order, signal, now, today, wait });
  try {
    return await examineThrough(transport, order, deps);
  } catch (error) {
    // Only profiling lets a network error out: without it there is nothing to report on.
    if (error instanceof NetworkError)
      return { failure: scanFailure(FAILURE_OF[error.kind], `${error.message}.`) };
    throw error;
  } finally {
    await transport.close();
  }
}

async function examineThrough(transport: Transport, order: ScanOrder, deps: ScanDeps): Promise<Examination> {
  const started = deps.now();
  const { profile, notes, operations } = await profileTarget(transport, order);
  if (answersOnlyErrors(profile)) {
    return { failure: scanFailure("target_errors", `It answered status ${profile.entry.status}.`) };
  }
  for (const facts of readsNamedIn(order.only)) operations.add(facts);
  const checks = restrictedTo(order.only, deps.checks);
  const newValues = () => valuesOf(profile, transport);
  let values = newValues();
  const onOperation = operations.add.bind(operations);
  const { deadlineSeconds, maxRequests } = order.limits;
  const { now, wait } = deps;
  const patienceSeconds = deadlineSeconds * PATIENCE;
  const onRecovered = () => (values = newValues());
  const health = superviseTarget(transport, profile, { now, wait, patienceSeconds, onRecovered });
  const supervisor = createSupervisor(health);
  const run = await runChecks({
    profile,
    checks,
    isRead: isNamedIn(order.only),
    probe: ({ pass, subject, ...heard }) =>
      createProbe({ profile, transport, ...values, ...heard, onOperation }, { pass, subject }),
    supervisor,
    maxPerOperation: order.limits.maxRequestsPerOperation ?? DEFAULT_LIMITS.maxRequestsPerOperation,
    budget: () => ({
      requests: 1 - transport.requestsSent / maxRequests,
      time: 1 - (deps.now() - started) / 1000 / deadlineSeconds,
    }),
    crashes: new CrashReporter(checks, { profile, transport }),
    isPaused: (operation) => transport.isPaused(routeOf(operation)),
    onProgress: deps.onProgress,
    onFault: deps.onFault,
  });
  // Of every check there is: a scan of some of them has not tested what the others would.
  const tested = testedIn(profile, run, CHECKS);
  const report = reportOf({
    checks,
    results: run.results,
    profile,
    tested,
    notes: [...notesOnPins(order.pins), ...notes, ...interruptionsOf(run.results)],
    requests: transport.requestsSent,
    durationMs: deps.now() - started,
  });
  // Each subject to be examined again has its own reason if it could not be.
  if (order.only) return { report };
  const loss = lossOf(supervisor, transport);
  const failure = failureOf({ profile, tested, findings: report.findings, loss });
  return failure ? { report, failure } : { report };
}

/** Values of other answers that requests are made of; found anew after an outage, whose answers held none. */
function valuesOf({ operations }: TargetProfile, transport: Transport) {
  const send = sendPatiently(transport.send.bind(transport));
  const idPool = createIdPool({ send, operations });
  return { idPool, ordinary: createOrdinaryRequests({ send, operations, idPool }) };
}

async function profileTarget(
  transport: Transport,
  order: ScanOrder,
): Promise<{ profile: TargetProfile; notes: string[]; operations: KnownOperations }> {
  const target = new URL(order.url);
  const send = sendPatiently(transport.send.bind(transport));
  const entry = await send(readOf(target.href));
  const base = target.pathname.replace(/\/+$/, "");
  const calibration = await calibrate(send, { origin: target.origin, base, nonce: newNonce() });
  const { document, notes, ...inventory } = await takeInventory({ send, target, order, calibration });
  forgoThreads(); // the spec document was read in the only one
  const host = { location: { method: "GET", path: base || "/" } };
  const operations = new KnownOperations(target.origin, inventory.operations);
  const routes = new Routes(operations.all);
  transport.learnRoutes((request) => routes.of(request));
  return {
    profile: {
      target,
      entry,
      host,
      operations: operations.all,
      neverCalled: inventory.neverCalled,
      document,
      calibration,
      context: order.context,
    },
    notes,
    operations,
  };
}

const answersOnlyErrors = ({ entry, calibration }: TargetProfile): boolean =>
  [entry, ...calibration.missing].every(({ status }) => status >= 500);

/** Fraction of the scan's time that it waits for a target to recover. */
const PATIENCE = 0.3;

/**
 * Takes from this process, for good, the right to start threads. Needed because Node's permission model does not
 * bind a thread that is started with arguments of its own (`execArgv`). Does nothing in a process without that model.
 */
function forgoThreads(): void {
  const permission: (NodeJS.ProcessPermission & { drop?: (scope: string) => void }) | undefined =
    process.permission;
  permission?.drop?.("worker");
}
