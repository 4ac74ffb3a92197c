import { readOf } from "./transport/exchange.ts";
import { setTimeout as wait } from "node:timers/promises";
import {
  notesOnPins,
  scanFailure,
  type AddressFamily,
  type Category,
  type Outcome,
  type ScanOrder,
} from "@glovebox/contract";
import { calibrate } from "./oracles/not-found.ts";
import type { Check, TargetProfile } from "./engine/check.ts";
import { isBlocked } from "./oracles/classify.ts";
import { testedIn } from "./engine/coverage.ts";
import { readOperations } from "./engine/read-operations.ts";
import { reportOf } from "./engine/report.ts";
import { createProbe, newNonce } from "./engine/probe.ts";
import { INTERRUPTIONS, runChecks, type TargetHealth, type Result } from "./engine/runner.ts";
import { createIdPool } from "./inventory/id-pool.ts";
import { createOrdinaryRequests } from "./inventory/ordinary-requests.ts";
import { takeInventory } from "./inventory/inventory.ts";
import { type IsolationDeps, proveIsolation } from "./isolation/prove-isolation.ts";
import { FAILURE_OF, NetworkError } from "./transport/network-error.ts";
import { createTransport, type Transport } from "./transport/transport.ts";

export interface ScanDeps {
  readonly checks: readonly Check[];
  readonly onProgress: (category: Category, done: number, planned: number) => void;
  readonly reach: IsolationDeps["reach"];
  readonly onFault: (check: Check, error: unknown) => void;
  /** Address families that this machine has, of which the seal is proven. */
  readonly families: () => ReadonlySet<AddressFamily>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly today: () => Date;
}

/** Carries out one order: prove the seal, connect, calibrate, inventory, checks, score. Always comes to an outcome. */
export async function scan(order: ScanOrder, deps: ScanDeps): Promise<Outcome> {
  const { isolation } = order;
  const unsealed = new AbortController();
  if (!isolation) return connectAndScan(order, deps, unsealed.signal);
  const { reach, families, now, today } = deps;
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

/** Sends nothing more once the signal has aborted. */
async function connectAndScan(order: ScanOrder, deps: ScanDeps, stop: AbortSignal): Promise<Outcome> {
  const signal = AbortSignal.any([AbortSignal.timeout(order.limits.deadlineSeconds * 1000), stop]);
  const transport = createTransport({ order, signal, now: deps.now, today: deps.today });
  try {
    return await scanThrough(transport, order, deps);
  } catch (error) {
    // Only profiling lets a network error out: without it there is nothing to report on.
    if (error instanceof NetworkError)
      return { status: "failed", failure: scanFailure(FAILURE_OF[error.kind], `${error.message}.`) };
    throw error;
  } finally {
    await transport.close();
  }
}

async function scanThrough(transport: Transport, order: ScanOrder, deps: ScanDeps): Promise<Outcome> {
  const started = deps.now();
  const { profile, notes } = await profileTarget(transport, order);
  if (answersOnlyErrors(profile)) {
    return {
      status: "failed",
      failure: scanFailure("target_errors", `It answered status ${profile.entry.status}.`),
    };
  }
  const send = transport.send.bind(transport);
  const { operations } = profile;
  const idPool = createIdPool({ send, operations });
  const ordinary = createOrdinaryRequests({ send, operations, idPool });
  const { checks, onProgress, onFault } = deps;
  const probe = (pass: 1 | 2) => createProbe({ profile, transport, idPool, ordinary }, pass);
  const reads = await readOperations(profile, () => probe(1));
  const results = await runChecks({
    profile,
    checks,
    probe,
    health: () => targetHealth(transport, profile),
    onProgress,
    onFault,
  });
  const durationMs = deps.now() - started;
  return {
    status: "completed",
    report: reportOf({
      checks,
      results,
      profile,
      tested: testedIn(profile, results, reads),
      notes: [...notesOnPins(order.pins), ...notes, ...interruptionsOf(results)],
      requests: transport.requestsSent,
      durationMs,
    }),
  };
}

async function profileTarget(
  transport: Transport,
  order: ScanOrder,
): Promise<{ profile: TargetProfile; notes: string[] }> {
  const target = new URL(order.url);
  const send = transport.send.bind(transport);
  const entry = await send(readOf(target.href));
  const base = target.pathname.replace(/\/+$/, "");
  const calibration = await calibrate(send, { origin: target.origin, base, nonce: newNonce() });
  const { document, operations, notes } = await takeInventory({ send, target, order, calibration });
  forgoThreads(); // the spec document was read in the only one
  const host = { location: { method: "GET", path: base || "/" } };
  return {
    profile: { target, entry, host, operations, document, calibration, context: order.context },
    notes,
  };
}

const answersOnlyErrors = ({ entry, calibration }: TargetProfile): boolean =>
  [entry, ...calibration.missing].every(({ status }) => status >= 500);

const THROTTLED = new Set([429, 503]);

/** A path that did not exist is asked for again: a firewall that has had enough answers otherwise. */
async function targetHealth(transport: Transport, { calibration }: TargetProfile): Promise<TargetHealth> {
  const [before] = calibration.missing;
  if (!before) return "healthy";
  try {
    const now = await transport.send(before.request, { share: false });
    if (THROTTLED.has(now.status)) return "blocking"; // also when it was so from the start: nothing can be learned then
    return now.status === before.status || (!isBlocked(now) && now.status !== 403) ? "healthy" : "blocking";
  } catch (error) {
    // A used-up budget or a deadline says nothing of the target; each check meets it by itself.
    const ours = error instanceof NetworkError && (error.kind === "budget" || error.kind === "deadline");
    return ours ? "healthy" : "unresponsive";
  }
}

/** What the reader must know when the target did not bear the scan to its end, and what was under way then. */
function interruptionsOf(results: readonly Result[]): string[] {
  return Object.values(INTERRUPTIONS).flatMap((reason) => {
    const spoiled = results.filter(
      ({ verdict }) => verdict.outcome === "inconclusive" && verdict.reason === reason,
    );
    const checks = [...new Set(spoiled.map(({ check }) => check.id))];
    return checks.length === 0
      ? []
      : [`${reason} Under way or still to come: ${checks.slice(0, 5).join(", ")}…`];
  });
}

/**
 * Takes from this process, for good, the right to start threads. Needed because Node's permission model does not
 * bind a thread that is started with arguments of its own (`execArgv`). Does nothing in a process without that model.
 */
function forgoThreads(): void {
  const permission: (NodeJS.ProcessPermission & { drop?: (scope: string) => void }) | undefined =
    process.permission;
  permission?.drop?.("worker");
}
