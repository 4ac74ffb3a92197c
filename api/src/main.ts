import { once } from "node:events";
import { KubeConnectionError, kubeConnection } from "@glovebox/kube";
import { SettingsError, readSettings } from "@glovebox/settings";
import { MigrationFailed, SchemaMissing, StoreUnavailable, StoreUnusable, migrate } from "@glovebox/store";
import { AccountsFileError } from "./accounts-file.ts";
import { serveOnKubernetes } from "./kubernetes/serve.ts";
import { whenAvailable } from "./kubernetes/prepare-database.ts";
import { KUBERNETES_SETTINGS } from "./settings/index.ts";
import { createLogger } from "./observability.ts";
import { keepHeapSmall, stopSignal } from "./process.ts";

/** Limit of a shutdown that hangs; longer than a normal one. */
const SHUTDOWN_MS = 25_000;
const EXIT_UNUSABLE = 2;

const print = (line: string): void => void process.stderr.write(`glovebox-api: ${line}\n`);
const now = (): Date => new Date();

/** `api.mjs` serves the API on Kubernetes until SIGTERM or SIGINT, immediately on the second signal; `api.mjs migrate` brings its database up to date. */
async function main([command = "serve", ...rest]: readonly string[]): Promise<void> {
  if (rest.length > 0 || (command !== "serve" && command !== "migrate"))
    throw new SettingsError("usage: api.mjs [serve | migrate]");
  await (command === "serve" ? serveApi() : migrateDatabase());
}

async function serveApi(): Promise<void> {
  const { settings, warnings } = readSettings(KUBERNETES_SETTINGS, process.env);
  const logger = createLogger(settings.logLevel);
  for (const warning of warnings) logger.warn(warning);
  keepHeapSmall();
  const stop = stopSignal({ source: process, clock: () => performance.now(), end: () => process.exit(1) });
  const connection = await kubeConnection(settings.kubeconfig, process.env);
  const api = await serveOnKubernetes({ settings, connection, logger });
  logger.info({ url: api.url }, "ready");

  if (!stop.aborted) await once(stop, "abort");
  logger.info("stopping");
  setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
  await api.close();
}

async function migrateDatabase(): Promise<void> {
  const { settings } = readSettings(KUBERNETES_SETTINGS, process.env, ["databaseUrl"]);
  await whenAvailable(() => migrate(settings.databaseUrl), { now });
  print("the database is up to date");
}

function onFailure(error: unknown): void {
  process.exitCode = EXIT_UNUSABLE;
  if (error instanceof SettingsError || error instanceof KubeConnectionError) print(error.message);
  else if (error instanceof AccountsFileError) print(`GLOVEBOX_ACCOUNTS_FILE: ${error.message}`);
  else if (error instanceof MigrationFailed)
    print(`DATABASE_URL: the database cannot be migrated: ${error.message}`);
  else if (error instanceof StoreUnavailable) print(`DATABASE_URL: the database ${problemOf(error)}.`);
  else print(`unexpected failure: ${reasonOf(error)}`);
}

function problemOf(error: StoreUnavailable): string {
  if (error instanceof SchemaMissing) return "has no schema of this version; run `migrate`";
  return error instanceof StoreUnusable ? "does not exist, or refuses this user" : "cannot be reached";
}

// Without the message: the message of a driver may name the user and the database.
function reasonOf(error: unknown): string {
  const { name = "no reason given", code } = error as { name?: string; code?: unknown };
  return typeof code === "string" ? `${name} ${code}` : name;
}

await main(process.argv.slice(2)).catch(onFailure);
