import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate, openStore, type Store } from "@glovebox/store";
import { keepLedger } from "@glovebox/store/testing";
import { startReceiver, type Receiver } from "../../../api/src/testing/receiver.ts";
import { deploy, type Deployment } from "../../../test/faults/support/deployment.ts";
import { startPostgresServer, type PostgresServer } from "../../../test/faults/support/postgres-server.ts";
import { startRedisServer, type RedisServer } from "../../../test/faults/support/redis-server.ts";
import { temporaryFolder, type GloveboxCommand } from "../../../test/standalone/command.ts";
import { startLocalApi } from "../../../test/standalone/local-api.ts";
import { serve } from "../../../test/standalone/service.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { startTlsProxy } from "../../../test/support/tls-proxy.ts";
import { accountsFileOf, type SoakAccount } from "./accounts.ts";

/** A process of `glovebox serve`. */
export interface ServiceProcess {
  readonly command: GloveboxCommand;
  readonly ended: Promise<number | null>;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** Two services as they ship, which share PostgreSQL and Redis, a target, and a receiver of webhooks. */
export interface SoakSystem extends AsyncDisposable {
  readonly urls: readonly string[];
  readonly databaseUrl: string;
  /** For what has no interface, such as the sessions of users. */
  readonly store: Store;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  /** Each with one process, which is restarted when it exits. */
  readonly services: readonly Deployment<ServiceProcess>[];
  /** All processes of services so far. */
  readonly commands: readonly GloveboxCommand[];
  readonly targetUrl: string;
  readonly receiver: Receiver;
}

const SERVICES = 2;
/** Of each service: more would compete for the processors with everything else. */
const CONCURRENT_SCANS = "2";

export async function startSystem(accounts: readonly SoakAccount[]): Promise<SoakSystem> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(temporaryFolder());
  const postgres = await startPostgresServer();
  cleanup.defer(() => postgres.remove());
  const redis = await startRedisServer();
  cleanup.defer(() => redis.crash());
  await migrate(postgres.url);
  await keepLedger(postgres.url);
  const store = await openStore({ url: postgres.url, maxConnections: 2 });
  cleanup.defer(() => store.close());
  const target = cleanup.use(await startLocalApi());
  const proxy = cleanup.use(await startTlsProxy(target.port));
  const receiver = await startReceiver();
  cleanup.defer(() => receiver.close());

  const file = (name: string, content: string): string => {
    writeFileSync(join(folder.path, name), content);
    return join(folder.path, name);
  };
  const shared = {
    ...{ DATABASE_URL: postgres.url, REDIS_URL: redis.url, GLOVEBOX_DEMO: "off" },
    GLOVEBOX_ACCOUNTS_FILE: file("accounts.yaml", accountsFileOf(accounts)),
    GLOVEBOX_EGRESS_ALLOW: [proxy.url, receiver.url].map((url) => new URL(url).host).join(","),
    GLOVEBOX_EXTRA_CA: file("target.pem", proxy.caPem),
    NODE_EXTRA_CA_CERTS: file("receiver.pem", receiver.ca),
    GLOVEBOX_MAX_CONCURRENT_SCANS: CONCURRENT_SCANS,
    GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "64",
  };
  const commands: GloveboxCommand[] = [];
  const services: Deployment<ServiceProcess>[] = [];
  const urls: string[] = [];
  for (let n = 0; n < SERVICES; n++) {
    const env = { ...shared, PORT: String(await freePort()) };
    const start = (): Promise<ServiceProcess> => startService(join(folder.path, `data-${n}`), env, commands);
    const service = await deploy(1, start);
    cleanup.defer(() => service.close());
    services.push(service);
    urls.push(`http://127.0.0.1:${env.PORT}`);
  }
  const running = cleanup.move();
  return {
    ...{ urls, databaseUrl: postgres.url, store, postgres, redis, services, commands },
    ...{ targetUrl: `${proxy.url}/`, receiver },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startService(
  dataDir: string,
  env: NodeJS.ProcessEnv,
  commands: GloveboxCommand[],
): Promise<ServiceProcess> {
  const { command } = await serve(dataDir, env);
  commands.push(command);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => (await command.kill(signal)).code;
  return {
    command,
    ended: command.ended.then(({ code }) => code),
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}
