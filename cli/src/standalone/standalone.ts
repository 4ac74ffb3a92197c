import { join } from "node:path";
import { AccountsFileError, applyAccountsFile, createApi, createLogger, createUpkeep } from "@glovebox/api";
import { createEgressPolicy, systemLookup, type EgressAllowance } from "@glovebox/egress";
import type { ClaimLimits, Store } from "@glovebox/store";
import { startDemoProcess, type DemoAuthority } from "../demo/demo-process.ts";
import type { Settings } from "../settings.ts";
import { UserError, listening } from "../command-line.ts";
import { onFreePort } from "./free-port.ts";
import { lockDataDir, removeRunning, writeRunning } from "./data-dir.ts";
import { offerFirstAdministrator } from "./first-administrator.ts";
import { ensureFirstKey, type FirstKey } from "./first-key.ts";
import { openDatabase, type OpenDatabaseOptions } from "./open-database.ts";
import { createScanWorker, launcherFor } from "./scan-worker.ts";

type Logger = ReturnType<typeof createLogger>;

export interface Standalone {
  /** Address of the API, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly demoUrl: string | undefined;
  readonly firstKey: FirstKey;
  /** The link that makes the first administrator; undefined once there is a user, or where the address is not known. */
  readonly publicUrl: string | undefined;
  readonly firstAdministratorLink: string | undefined;
  /** Responds to waiting requests, releases running scans, and stops all parts in reverse order of their start. */
  close(): Promise<void>;
}

/**
 * Starts the whole service on this machine: database, API, demo target and the worker that scans.
 * @throws UserError for an error that the user can fix, or the reason of `stop` when it is aborted; nothing is left running then.
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
  const firstAdministrator = await offerFirstAdministrator(dataDir, store);

  const demo = settings.demo ? await startDemoTarget(settings, logger, cleanup) : undefined;
  stop.throwIfAborted();
  const egress = egressOf(settings, demo);
  const worker = createScanWorker({
    store,
    order: { ...egress, allow: settings.egressAllow, extraCa: settings.extraCa, demo },
    logger,
    maxConcurrent: settings.maxConcurrentScans,
    limits: claimLimits(settings),
  });
  cleanup.defer(() => worker.stop());
  const upkeep = createUpkeep({ store, logger, settings });
  cleanup.defer(() => upkeep.stop());
  const api = createApi({
    store,
    launcher: launcherFor(worker),
    egress,
    logger,
    now: () => new Date(),
    redisUrl: settings.redisUrl,
    settings,
    metrics: upkeep.metrics,
  });
  cleanup.defer(() => api.close());
  const listenAddress = { port: "PORT", host: "GLOVEBOX_HOST", address: `${settings.host}:${settings.port}` };
  await listening(listenAddress, () => api.start());
  await worker.start();
  upkeep.start();
  stop.throwIfAborted();

  const publicUrl = api.publicUrl()?.origin;
  writeRunning(dataDir, { pid: process.pid, address: api.url(), databaseUrl, publicUrl });
  cleanup.defer(() => removeRunning(dataDir));
  const running = cleanup.move();
  const firstAdministratorLink = linkOf(publicUrl, firstAdministrator);
  const shown = { address: api.url(), demoUrl: demo?.origin, publicUrl, firstKey, firstAdministratorLink };
  return { ...shown, close: () => running.disposeAsync() };
}

const linkOf = (publicUrl: string | undefined, token: string | undefined): string | undefined =>
  publicUrl && token && `${publicUrl}/invitation/${token}`;

/** The demo target of `serve`, stopped when `cleanup` is disposed of. */
async function startDemoTarget(
  { dataDir, demoPort: port }: Settings,
  logger: Logger,
  cleanup: AsyncDisposableStack,
): Promise<DemoAuthority> {
  const onLost = (): void =>
    logger.warn("demo target exited unexpectedly, restart the service to restart it");
  const demo = await onFreePort(port, {
    listen: (each) => startDemoProcess({ port: each, certificateDir: join(dataDir, "demo"), onLost }),
    onTaken: (taken, next) =>
      logger.warn(`GLOVEBOX_DEMO_PORT: 127.0.0.1:${taken} is in use, the demo target tries port ${next}`),
  });
  cleanup.defer(() => demo.stop());
  return demo;
}

/** The demo target is the only private address that scans may reach without GLOVEBOX_EGRESS_ALLOW. */
function allowanceFor(demo: DemoAuthority | undefined): EgressAllowance[] {
  if (!demo) return [];
  const { hostname, port } = new URL(demo.origin);
  return [{ kind: "endpoint", host: hostname, port: Number(port) }];
}

const postgresLog = (logger: Logger): Pick<OpenDatabaseOptions, "log" | "warn"> => ({
  log: (line) => logger.debug({ postgres: line }),
  warn: (line) => logger.warn(line),
});

async function declareAccounts(path: string | undefined, store: Store): Promise<void> {
  if (path === undefined) return;
  try {
    await applyAccountsFile(path, store);
  } catch (error) {
    if (!(error instanceof AccountsFileError)) throw error;
    throw new UserError(`GLOVEBOX_ACCOUNTS_FILE: ${error.message}`, { cause: error });
  }
}

const claimLimits = (settings: Settings): ClaimLimits => ({
  perAccount: settings.maxConcurrentScansPerAccount,
  perHost: settings.maxConcurrentScansPerHost,
});

const egressOf = ({ egressAllow, dnsServers }: Settings, demo: Parameters<typeof allowanceFor>[0]) => ({
  policy: createEgressPolicy({ allow: [...egressAllow, ...allowanceFor(demo)] }),
  lookup: systemLookup({ servers: dnsServers }),
});
