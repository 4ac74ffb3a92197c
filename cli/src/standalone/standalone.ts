import {
  AccountsFileError,
  applyAccountsFile,
  createApi,
  createLogger,
  createRetention,
  type ApiSettings,
} from "@glovebox/api";
import { createEgressPolicy, systemLookup } from "@glovebox/egress";
import type { Store } from "@glovebox/store";
import type { Settings } from "../settings.ts";
import { UserError } from "../user-error.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { allowanceFor, startDemoTarget, type Logger } from "./demo-target.ts";
import { ensureFirstKey, type FirstKey } from "./first-key.ts";
import { listening } from "./listening.ts";
import { openDatabase, type DatabaseOptions } from "./open-database.ts";
import { removeRunning, writeRunning } from "./running-file.ts";
import { createScanWorker, launcherFor } from "./scan-worker.ts";

const LOOKUP_MS = 10_000;

export interface Standalone {
  /** Address of the API, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly demoUrl: string | undefined;
  readonly firstKey: FirstKey;
  /** Answers held requests, gives running scans back, and stops everything in the reverse order of its start. */
  close(): Promise<void>;
}

/**
 * Starts the whole service on this machine: database, API, demo target and the worker that scans.
 * @throws UserError when something that the user can mend prevents it, or the reason of `stop` when that is aborted
 * meanwhile; nothing is left running then.
 */
export async function startStandalone(settings: Settings, stop: AbortSignal): Promise<Standalone> {
  await using cleanup = new AsyncDisposableStack();
  const { dataDir } = settings;
  cleanup.defer(await lockDataDir(dataDir));
  const logger = createLogger(settings.logLevel);
  const { store, url: databaseUrl } = await openDatabase({ ...settings, ...postgresLog(logger) }, cleanup);
  stop.throwIfAborted();
  const firstKey = await ensureFirstKey(dataDir, store);
  await declareAccounts(settings.accountsFile, store);

  const demo = settings.demo ? await startDemoTarget(settings, logger, cleanup) : undefined;
  stop.throwIfAborted();
  const policy = createEgressPolicy({ allow: [...settings.egressAllow, ...allowanceFor(demo)] });
  const egress = { policy, lookup: systemLookup({ timeoutMs: LOOKUP_MS, servers: settings.dnsServers }) };
  const worker = createScanWorker({
    store,
    order: { ...egress, extraCa: settings.extraCa, demo },
    logger,
    maxConcurrent: settings.maxConcurrentScans,
  });
  cleanup.defer(() => worker.stop());
  const retention = createRetention({ store, logger, settings });
  cleanup.defer(() => retention.stop());
  const api = createApi({
    store,
    launcher: launcherFor(worker),
    egress,
    logger,
    now: () => new Date(),
    redisUrl: settings.redisUrl,
    settings: apiSettings(settings),
    metrics: retention.metrics,
  });
  cleanup.defer(() => api.close());
  const place = { port: "PORT", host: "GLOVEBOX_HOST", address: `${settings.host}:${settings.port}` };
  await listening(place, () => api.start());
  await worker.start();
  retention.start();
  stop.throwIfAborted();

  writeRunning(dataDir, { pid: process.pid, address: api.url(), databaseUrl });
  cleanup.defer(() => removeRunning(dataDir));
  const running = cleanup.move();
  return { address: api.url(), demoUrl: demo?.origin, firstKey, close: () => running.disposeAsync() };
}

const postgresLog = (logger: Logger): Pick<DatabaseOptions, "log" | "warn"> => ({
  log: (line) => logger.debug({ postgres: line }),
  warn: (line) => logger.warn(line),
});

function apiSettings({ host, port, waitSeconds, trustProxy }: Settings): Partial<ApiSettings> {
  return { host, port, waitSeconds, trustProxy: trustProxy || false };
}

async function declareAccounts(path: string | undefined, store: Store): Promise<void> {
  if (path === undefined) return;
  try {
    await applyAccountsFile(path, store);
  } catch (error) {
    if (!(error instanceof AccountsFileError)) throw error;
    throw new UserError(`GLOVEBOX_ACCOUNTS_FILE: ${error.message}`, { cause: error });
  }
}
