import { lookup } from "node:dns/promises";
import { setFlagsFromString } from "node:v8";
import { hostOf } from "@glovebox/contract";
import { CONTROLLER_NAME } from "@glovebox/k8s";
import {
  createKubeClient,
  kubeConnection,
  type KubeConnection,
  KubeConnectionError,
  KubeError,
  loggable,
} from "@glovebox/kube";
import { SettingsError } from "@glovebox/settings";
import { openStore } from "@glovebox/store";
import { destination, type Logger, pino } from "pino";
import { startController } from "./controller.ts";
import { type ControllerSettings, readControllerSettings } from "./settings.ts";
import { shutDown } from "./process/shutdown.ts";

/** Longer than all steps of the shutdown may take (17 s), shorter than the 30 s that Kubernetes gives a pod. */
const SHUTDOWN_MS = 20_000;
const EXIT_LOST = 1;
const EXIT_UNUSABLE = 2;

/** `controller.mjs` reconciles Scans until SIGTERM or SIGINT. Exits with 1 when leadership is lost, to be restarted. */
async function main(): Promise<void> {
  limitHeapGrowth();
  const { settings, warnings } = readControllerSettings(process.env);
  const logger = pino({ level: settings.logLevel, base: null }, destination({ dest: 2, sync: true }));
  for (const warning of warnings) logger.warn(warning);
  await run(settings, logger);
}

async function run(settings: ControllerSettings, logger: Logger): Promise<void> {
  const stopped = stopRequested();
  const connection = await kubeConnection(settings.kubeconfig, process.env);
  const kube = createKubeClient(connection, { userAgent: CONTROLLER_NAME });
  const store = await openStore({ url: settings.databaseUrl });
  const starting = addressesOf(connection).then((apiServerAddresses) =>
    startController({ settings, kube, store, logger, apiServerAddresses }),
  );
  const controller = await Promise.race([starting, stopped]);
  // The signal came during the start, before the lease was acquired.
  if (!controller) process.exit(0);
  logger.info({ port: controller.healthPort }, "ready");

  const end = await Promise.race([stopped.then(() => "stop"), controller.lost.then(() => "lost")]);
  logger.info({ because: end }, "stopping");
  setTimeout(() => process.exit(EXIT_LOST), SHUTDOWN_MS);
  const closing = { name: "database", boundMs: 3_000, run: () => store.close() };
  await shutDown([...controller.ending, closing], ({ error, ...step }) =>
    logger[step.how === "done" ? "info" : "warn"](
      { ...step, ...(error !== undefined && { error: loggable(error) }) },
      "stopped",
    ),
  );
  // A step that hangs would keep the process alive.
  process.exit(end === "lost" ? EXIT_LOST : 0);
}

/** Addresses of the API server, including the address of its Service. */
async function addressesOf({ server }: KubeConnection): Promise<string[]> {
  const found = await lookup(hostOf(server), { all: true }).catch(() => []);
  const { KUBERNETES_SERVICE_HOST } = process.env;
  return [
    ...found.map(({ address }) => address),
    ...(KUBERNETES_SERVICE_HOST ? [KUBERNETES_SERVICE_HOST] : []),
  ];
}

/** Resolves at the first signal; the second ends the process immediately. */
function stopRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) process.exit(EXIT_LOST);
    isStopping = true;
    resolve();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, onSignal);
  return promise;
}

const print = (line: string): void => void process.stderr.write(`glovebox-controller: ${line}\n`);

function onFailure(error: unknown): never {
  if (error instanceof SettingsError || error instanceof KubeConnectionError) print(error.message);
  else if (error instanceof KubeError) print(`the Kubernetes API: ${error.message}`);
  else print(`unexpected failure: ${error instanceof Error ? error.name : "no reason given"}`);
  process.exit(EXIT_UNUSABLE);
}

await main().catch(onFailure);

/**
 * Limits the growth of the heap: by default V8 lets it grow to several times its contents (docs/benchmarks.md). Call it once,
 * first. The size of the young generation is set in the image.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString("--heap-growing-percent=25");
}
