import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashApiKey, newApiKey } from "@glovebox/store";
import { keepLedger } from "@glovebox/store/testing";
import { freePort } from "../../support/free-port.ts";
import { startApi, type ApiProcess } from "../../cluster/support/api.ts";
import { startFixture, type Fixture } from "../../cluster/support/fixture.ts";
import { deployControllers, type Controllers } from "./controllers.ts";
import { deploy, type Deployment } from "./deployment.ts";
import { createLoad, type Load } from "./load.ts";
import { TransitionWatch } from "./transitions.ts";
import { watchScanPods, type ScanPods } from "./pods.ts";
import type { PostgresServer } from "./postgres-server.ts";
import type { Random } from "./random.ts";
import type { RedisServer } from "./redis-server.ts";

/** The system under test, whose components can be killed. */
export interface System {
  readonly fixture: Fixture;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly api: Deployment<ApiProcess>;
  readonly controllers: Controllers;
  readonly pods: ScanPods;
  readonly load: Load;
  readonly transitions: TransitionWatch;
  close(): Promise<void>;
}

export interface SystemOptions {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  /** Replicas of the controller. */
  readonly replicas: number;
  readonly random: Random;
  /** Receives each line of the controllers' logs. */
  readonly log: (line: string) => void;
}

export async function startSystem(options: SystemOptions): Promise<System> {
  const { postgres, redis, replicas, random, log } = options;
  await using cleanup = new AsyncDisposableStack();
  const fixture = await startFixture({ postgresUrl: postgres.url });
  cleanup.defer(() => fixture.close());
  await keepLedger(fixture.databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), "glovebox-system-"));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));

  const transitions = new TransitionWatch();
  const pods = watchScanPods(fixture.namespace, (scanId) => transitions.note("pod running", scanId));
  cleanup.defer(() => pods.close());
  const onLine = (line: string): void => {
    log(line);
    transitions.onLine(line);
  };
  const scannerFile = scannerFileIn(folder);
  const controllers = await deployControllers(fixture, { replicas, scannerFile, onLine });
  cleanup.defer(() => controllers.close());
  const port = String(await freePort());
  const settings = { PORT: port, REDIS_URL: redis.url, GLOVEBOX_SWEEP_SECONDS: "2" };
  const api = await deploy(1, () => startApi(fixture, settings));
  cleanup.defer(() => api.close());

  const load = createLoad({
    url: `http://127.0.0.1:${port}`,
    key: await keyFor(fixture),
    applyScan: (name) => fixture.applyScan(name, undefined, APPLYING),
    random,
  });
  const running = cleanup.move();
  const components = { fixture, postgres, redis, api, controllers, pods, load, transitions };
  return { ...components, close: () => running.disposeAsync() };
}

/** Six scan pods fit on a node with two cores. */
const RESOURCES = { cpu: "300m", memory: "256Mi", ephemeralStorage: "128Mi" };

function scannerFileIn(folder: string): string {
  const file = join(folder, "scanner.json");
  writeFileSync(file, JSON.stringify({ resources: RESOURCES }));
  return file;
}

/** Accounts with a quota: every charge is counted. */
const POSTING = "posting";
const APPLYING = "applying";
const MANY_REQUESTS = 1_000_000;

async function keyFor({ store }: Fixture): Promise<string> {
  const key = newApiKey();
  const plan = "pro";
  await store.accounts.declare({ name: APPLYING, plan });
  const { id } = await store.accounts.declare({ name: POSTING, plan, requestsPerMinute: MANY_REQUESTS });
  await store.keys.add({ accountId: id, name: "load", sha256: hashApiKey(key) });
  return key;
}
