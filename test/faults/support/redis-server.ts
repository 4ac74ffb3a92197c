import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../../support/free-port.ts";

/** A redis-server on loopback that can be killed. */
export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  /** Sends SIGKILL. It is not restarted. */
  crash(): Promise<void>;
  /** Restarts it with the same port, empty. */
  start(): Promise<void>;
}

export async function startRedisServer(): Promise<RedisServer> {
  const port = await freePort();
  let redis = await launch(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return redis.pid!;
    },
    async crash() {
      if (redis.exitCode !== null || redis.signalCode !== null) return;
      redis.kill("SIGKILL");
      await once(redis, "exit");
    },
    async start() {
      redis = await launch(port);
    },
  };
}

async function launch(port: number): Promise<ChildProcess> {
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const redis = spawn("redis-server", options, { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  redis.stdout.setEncoding("utf8");
  for await (const chunk of redis.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes("Ready to accept connections")) {
      redis.stdout.resume();
      return redis;
    }
  }
  throw new Error(`redis-server did not start: ${text}`);
}
