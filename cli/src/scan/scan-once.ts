import { UNASSESSED, newScanId, type Pin, type Report, type Scan, type ScanOrder } from "@glovebox/contract";
import {
  failedOutcome,
  scanOrder,
  unpacked,
  type DeliveredOutcome,
  type ProgressFrame,
} from "@glovebox/scan-run";
import {
  createEgressPolicy,
  loopbackAllowance,
  portOf,
  parseHostAddress,
  pinTarget,
  type EgressAllowance,
  type Lookup,
  refusalOfPlainHttp,
} from "@glovebox/egress";
import { outcomeOfRun, type RunEnding, type ScannerRun } from "../scanner/run-scanner.ts";
import type { ScanOptions } from "./options.ts";

export interface ScanOnceDeps {
  readonly run: (run: ScannerRun) => Promise<RunEnding>;
  readonly lookup: Lookup;
  readonly now: () => Date;
  readonly onProgress: (frame: ProgressFrame) => void;
  readonly onPlan?: ScannerRun["onPlan"];
  /** Aborted: the scan ends as cancelled. */
  readonly signal: AbortSignal;
  /** Allowed addresses that are not public. */
  readonly allow: readonly EgressAllowance[];
  readonly extraCa: string | undefined;
}

/** One scan without server and database. An unsuccessful scan is returned as a failed Scan, not thrown. */
export async function scanOnce(options: ScanOptions, deps: ScanOnceDeps): Promise<Scan> {
  const createdAt = deps.now();
  const submitted = { id: newScanId(createdAt), url: options.url.href, createdAt: createdAt.toISOString() };
  return scanOf(submitted, await runScan(options, submitted.id, deps), deps);
}

async function runScan(options: ScanOptions, scanId: string, deps: ScanOnceDeps): Promise<DeliveredOutcome> {
  const target = options.url;
  const spec = options.spec?.from === "url" ? new URL(options.spec.url) : undefined;
  const urls = spec ? [target, spec] : [target];
  const { allowPrivate } = options;
  const local = allowPrivate ? everyPrivate(urls) : urls.flatMap(loopbackAllowance);
  const policy = createEgressPolicy({ allow: [...deps.allow, ...local] });
  const pinned = await pinTarget({ target, spec }, { policy, lookup: deps.lookup });
  if (!pinned.ok) {
    const hint = pinned.code === "egress_refused" && !allowPrivate ? ALLOW_PRIVATE : "";
    return failedOutcome(pinned.code, `${pinned.message}.${hint}`);
  }
  const refusal = refusalOfPlainHttp(urls, pinned.pins, { allow: deps.allow, allowPrivate });
  if (refusal) return failedOutcome("egress_refused", refusal);

  const order = orderOf(options, scanId, { pins: pinned.pins, extraCa: deps.extraCa });
  const { onProgress, onPlan, signal } = deps;
  const ending = await deps.run({ order, onProgress, signal, ...(onPlan && { onPlan }) });
  return ending.how === "aborted" ? (ending.outcome ?? failedOutcome("cancelled")) : outcomeOfRun(ending);
}

const ALLOW_PRIVATE = " --allow-private allows private addresses.";

function orderOf(
  options: ScanOptions,
  scanId: string,
  { pins, extraCa }: { readonly pins: readonly Pin[]; readonly extraCa: string | undefined },
): ScanOrder {
  const { url, spec, context, only, limits, identities, expectations, include, exclude } = options;
  return scanOrder(
    { scanId, url: url.href, spec, pins },
    {
      ...{ context, only, limits, identities, expectations, include, exclude },
      extraCa: [extraCa, options.ca].filter((pem) => pem !== undefined).join("") || undefined,
      needsSpec: spec && true,
      mode: options.active ? "active" : undefined,
      plan: options.plan || undefined,
    },
  );
}

/**
 * All addresses, and the names of the targets, which may be local. Metadata services stay refused: the policy allows them only by
 * an entry for the exact address, so addresses are not listed here.
 */
function everyPrivate(urls: readonly URL[]): EgressAllowance[] {
  const names = urls.flatMap((url): EgressAllowance[] => {
    const host = parseHostAddress(url.hostname);
    return host.kind === "name" ? [{ kind: "endpoint", host: host.name, port: portOf(url)! }] : [];
  });
  return [{ kind: "range", cidr: "0.0.0.0/0" }, { kind: "range", cidr: "::/0" }, ...names];
}

async function scanOf(
  submitted: { id: string; url: string; createdAt: string },
  outcome: DeliveredOutcome,
  { now }: Pick<ScanOnceDeps, "now">,
): Promise<Scan> {
  const { id, url, createdAt } = submitted;
  if (outcome.status === "completed") {
    const report = JSON.parse(await unpacked(outcome.report.body)) as Report;
    return { id, status: "completed", url, createdAt, completedAt: now().toISOString(), ...report };
  }
  return { id, status: "failed", url, createdAt, ...UNASSESSED, error: outcome.failure };
}
