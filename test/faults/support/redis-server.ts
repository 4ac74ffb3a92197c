import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A real redis-server on loopback that can be made to die. */
export interface RedisServer {
  readonly url: string;
  /** SIGKILL; it stays away. */
  crash(): Promise<void>;
  /** Again, on the same port and empty. */
  start(): Promise<void>;
}

export async function startRedisServer(): Promise<RedisServer> {
  const port = await freePort();
  let redis = await begin(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    async crash() {
      if (redis.exitCode !== null || redis.signalCode !== null) return;
      redis.kill("SIGKILL");
      await once(redis, "exit");
    },
    async start() {
      redis = await begin(port);
    },
  };
}

/** A port of loopback that is free at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function begin(port: number): Promise<ChildProcess> {
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
