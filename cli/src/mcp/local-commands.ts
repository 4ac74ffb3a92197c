import {
  ToolError,
  explanationOf,
  findingIn,
  noSuchFinding,
  shortOf,
  withoutFindings,
  type ToolCommands,
} from "@glovebox/api/mcp";
import {
  newScanId,
  scanFailure,
  type CompletedScan,
  type Scan,
  type ScanRequest,
  type ScanSummary,
} from "@glovebox/contract";
import { withTimeout } from "@glovebox/domain";
import { portOf } from "@glovebox/egress";
import { recheckOf, verificationOf } from "../verify/verification.ts";
import type { ScanOptions } from "../scan/options.ts";

export interface LocalDeps {
  /** Reports to begin with. */
  readonly reports: readonly CompletedScan[];
  /** Hosts that may be sent requests, with the port where it is not 443. Empty: none. */
  readonly hosts: ReadonlySet<string>;
  /** @throws UserError */
  readonly optionsOf: (request: ScanRequest) => ScanOptions;
  readonly scan: (options: ScanOptions) => Promise<Scan>;
  readonly now: () => Date;
}

/** The tools of `glovebox mcp`: scans of this process, kept in its memory, and reports in files. */
export function localCommands(deps: LocalDeps): ToolCommands {
  const scans = new LocalScans(deps);
  const maySend = deps.hosts.size > 0;
  return {
    list: async ({ limit, offset }) => {
      const all = scans.newestFirst();
      return { scans: all.slice(offset, offset + limit).map(summaryOf), total: all.length, limit, offset };
    },
    async get(id, waitSeconds) {
      const scan = await scans.get(id, waitSeconds);
      return scan.status === "completed" ? shortOf(scan) : scan;
    },
    async explain(id, findingId) {
      const explanation = explanationOf(await completed(scans, id), findingId);
      if (explanation === undefined) throw noSuchFinding();
      return explanation;
    },
    start: maySend ? async (request) => scans.start(allowed(deps, request)) : undefined,
    verify: maySend
      ? async (id, findingId) => {
          const report = await completed(scans, id);
          const finding = findingIn(report, findingId);
          if (!finding) throw noSuchFinding();
          return verify(deps, report, finding.id);
        }
      : undefined,
    describe: (error) => (error as Error).message,
  };
}

async function completed(scans: LocalScans, id: string): Promise<CompletedScan> {
  const scan = await scans.get(id, 0);
  if (scan.status !== "completed") throw withoutFindings(scan);
  return scan;
}

/** @throws ToolError for a host that may not be scanned */
function allowed({ hosts, optionsOf }: LocalDeps, request: ScanRequest): ScanOptions {
  const options = optionsOf(request);
  const urls = [options.url, ...(options.spec?.from === "url" ? [new URL(options.spec.url)] : [])];
  const other = urls.find(
    (url) => !hosts.has(url.protocol === "http:" ? `${url.hostname}:${portOf(url)}` : url.host),
  );
  if (other) throw new ToolError(`${other.host} may not be scanned: --allow-scan does not name it.`);
  return options;
}

type Filters = Pick<ScanRequest, "include" | "exclude">;
type GivenFilters = Readonly<Partial<Record<keyof Filters, readonly string[]>>>;

/**
 * The filters of a scan that the model asks for: within those of whoever started the command, which it cannot widen.
 * @throws ToolError where both limit a scan to some operations
 */
export function filtersWithin(given: GivenFilters, { include, exclude }: Filters): GivenFilters {
  if (include && given.include)
    throw new ToolError("include: the scans of this command are limited already, by --include.");
  const [included, excluded] = [include ?? given.include, [...(given.exclude ?? []), ...(exclude ?? [])]];
  return { ...(included && { include: included }), ...(excluded.length > 0 && { exclude: excluded }) };
}

async function verify(deps: LocalDeps, report: CompletedScan, findingId: string): Promise<object[]> {
  const findings = report.findings.filter(({ id }) => id === findingId);
  const options = { ...allowed(deps, { url: report.url }), only: recheckOf({ findings }) };
  const again = await deps.scan(options);
  if (again.status !== "completed") throw new ToolError("The finding could not be retested.");
  return verificationOf({ findings }, again).map(({ instance: { id, location }, is, detail }) => ({
    ...{ id, location, is, detail },
  }));
}

/** The scans by their ids; one runs at a time. */
class LocalScans {
  readonly #deps: Pick<LocalDeps, "scan" | "now">;
  readonly #scans: Map<string, Scan>;
  readonly #running = new Map<string, Promise<void>>();

  constructor({ reports, ...deps }: LocalDeps) {
    this.#deps = deps;
    this.#scans = new Map(reports.map((report) => [report.id, report]));
  }

  newestFirst(): Scan[] {
    return [...this.#scans.values()].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  }

  async get(id: string, waitSeconds: number): Promise<Scan> {
    const ending = this.#running.get(id);
    if (ending && waitSeconds > 0) await endOrTimeout(ending, waitSeconds * 1000);
    const scan = this.#scans.get(id);
    if (!scan) throw new ToolError("No such scan.");
    return scan;
  }

  start(options: ScanOptions): Scan {
    if (this.#running.size > 0) throw new ToolError("Another scan is running: one at a time.");
    const started = processing(options.url.href, this.#deps.now());
    this.#scans.set(started.id, started);
    this.#running.set(started.id, this.#run(started, options));
    return started;
  }

  async #run(started: ReturnType<typeof processing>, options: ScanOptions): Promise<void> {
    const { id, url, createdAt } = started;
    const ended = await this.#deps
      .scan(options)
      .catch((): Scan => ({ ...started, status: "failed", error: scanFailure("scanner_crashed") }));
    this.#scans.set(id, { ...ended, id, url, createdAt });
    this.#running.delete(id);
  }
}

const endOrTimeout = (ending: Promise<void>, ms: number): Promise<void> =>
  withTimeout(ending, { ms, error: () => new Error("still running") }).catch(() => undefined);

const processing = (url: string, now: Date): Extract<Scan, { status: "processing" }> => ({
  ...{ id: newScanId(now), status: "processing", url, createdAt: now.toISOString(), completedAt: null },
  ...{ score: null, grade: null, categories: {}, findings: [], progress: { done: 0, planned: 0 } },
});

const summaryOf = ({ id, url, status, score, grade, findings, createdAt }: Scan): ScanSummary => ({
  ...{ id, url, status, score, grade, findingsCount: findings.length, createdAt },
});
