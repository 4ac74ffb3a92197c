import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashApiKey, newApiKey } from "@glovebox/contract";
import { keepLedger } from "@glovebox/store/testing";
import { startApi, type ApiProcess } from "../../cluster/support/api.ts";
import { setStage, type Stage } from "../../cluster/support/stage.ts";
import { deployControllers, type Controllers } from "./controllers.ts";
import { deploy, type Deployment } from "./deployment.ts";
import { createLoad, type Load } from "./load.ts";
import { Moments } from "./moments.ts";
import { watchScanPods, type ScanPods } from "./pods.ts";
import type { PostgresServer } from "./postgres-server.ts";
import type { Random } from "./random.ts";
import { freePort, type RedisServer } from "./redis-server.ts";

/** Everything that carries scans out, with what is needed to make parts of it die. */
export interface Rig {
  readonly stage: Stage;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly api: Deployment<ApiProcess>;
  readonly controllers: Controllers;
  readonly pods: ScanPods;
  readonly load: Load;
  readonly moments: Moments;
  close(): Promise<void>;
}

export interface RigOptions {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  /** Replicas of the controller. */
  readonly replicas: number;
  readonly random: Random;
  /** Takes each line that a controller logs. */
  readonly keepLine: (line: string) => void;
}

export async function setRig(options: RigOptions): Promise<Rig> {
  const { postgres, redis, replicas, random, keepLine } = options;
  await using cleanup = new AsyncDisposableStack();
  const stage = await setStage({ postgresUrl: postgres.url });
  cleanup.defer(() => stage.close());
  await keepLedger(stage.databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), "glovebox-rig-"));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));

  const moments = new Moments();
  const pods = watchScanPods(stage.namespace, (scanId) => moments.note("pod running", scanId));
  cleanup.defer(() => pods.close());
  const onLine = (line: string): void => {
    keepLine(line);
    moments.onLine(line);
  };
  const scannerFile = scannerFileIn(folder);
  const controllers = await deployControllers(stage, { replicas, scannerFile, onLine });
  cleanup.defer(() => controllers.close());
  const port = String(await freePort());
  const settings = { PORT: port, REDIS_URL: redis.url, GLOVEBOX_SWEEP_SECONDS: "2" };
  const api = await deploy(1, () => startApi(stage, settings));
  cleanup.defer(() => api.close());

  const load = createLoad({
    url: `http://127.0.0.1:${port}`,
    key: await keyFor(stage),
    applyScan: (name) => stage.applyScan(name, undefined, APPLYING),
    random,
  });
  const running = cleanup.move();
  const parts = { stage, postgres, redis, api, controllers, pods, load, moments };
  return { ...parts, close: () => running.disposeAsync() };
}

/** Six of them fit on a node with two cores. */
const RESOURCES = { cpu: "300m", memory: "256Mi", ephemeralStorage: "128Mi" };

function scannerFileIn(folder: string): string {
  const file = join(folder, "scanner.json");
  writeFileSync(file, JSON.stringify({ resources: RESOURCES }));
  return file;
}

/** Accounts with a quota, of which each charge is exact. */
const POSTING = "posting";
const APPLYING = "applying";
const MANY_REQUESTS = 1_000_000;

async function keyFor({ store }: Stage): Promise<string> {
  const key = newApiKey();
  const plan = "pro";
  await store.accounts.declare({ name: APPLYING, plan });
  const { id } = await store.accounts.declare({ name: POSTING, plan, requestsPerMinute: MANY_REQUESTS });
  await store.keys.add({ accountId: id, name: "load", sha256: hashApiKey(key) });
  return key;
}
