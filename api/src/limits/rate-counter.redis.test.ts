import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { pino } from "pino";
import { Gauge, Registry } from "prom-client";
import { createClient } from "redis";
import { afterEach, expect, test } from "vitest";
import { until } from "../testing/until.ts";
import { openRateCounter } from "./rate-counter.ts";
import type { RateCounter } from "./rate-limit.ts";

/** Of Debian's package of this name. */
const PROGRAM = "redis-server";
const cleanUp: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startRedis(port: number): Promise<ChildProcess> {
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const redis = spawn(PROGRAM, options, { stdio: ["ignore", "pipe", "ignore"] });
  cleanUp.push(() => kill(redis));
  let text = "";
  for await (const chunk of redis.stdout) {
    text += String(chunk);
    if (text.includes("Ready to accept connections")) break;
  }
  return redis;
}

async function kill(redis: ChildProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return;
  redis.kill("SIGKILL");
  await once(redis, "exit");
}

function open(url: string): {
  counter: RateCounter;
  log: string[];
  fallback: () => Promise<number | undefined>;
  pass: () => void;
} {
  const log: string[] = [];
  const gauge = new Gauge({ name: "fallback", help: "-", registers: [new Registry()] });
  // The counter rests for a second after a failure; the test's clock lets that pass.
  let clock = Date.now();
  const counter = openRateCounter({
    redisUrl: url,
    logger: pino({ level: "info" }, { write: (line: string) => void log.push(JSON.parse(line).msg) }),
    now: () => new Date(clock),
    fallback: gauge,
  });
  cleanUp.push(() => counter.close());
  return {
    counter,
    log,
    fallback: async () => (await gauge.get()).values[0]?.value,
    pass: () => void (clock += 1_001),
  };
}

/** Counts until the response comes from Redis (0) or from memory (1). */
const settled = ({ counter, fallback, pass }: ReturnType<typeof open>, state: 0 | 1) =>
  until(async () => {
    pass();
    await counter.count("probe");
    return (await fallback()) === state;
  });

test("counts of two replicas meet in one key in Redis, which expires after a minute", async () => {
  const port = await freePort();
  await startRedis(port);
  const url = `redis://127.0.0.1:${port}`;
  const [one, two] = [open(url), open(url)];
  await Promise.all([settled(one, 0), settled(two, 0)]);

  const counts = await Promise.all(
    Array.from({ length: 100 }, (_, index) => (index % 2 ? one : two).counter.count("key:k")),
  );
  expect(counts.map(({ consumed }) => consumed).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
  const client = createClient({ url });
  await client.connect();
  cleanUp.push(() => client.destroy());
  expect(await client.get("glovebox:rate:key:k")).toBe("100");
  const seconds = await client.ttl("glovebox:rate:key:k");
  expect(seconds > 0 && seconds <= 60).toBe(true);
});

test("a killed Redis is replaced by memory, said once, and used again when it is back", async () => {
  const port = await freePort();
  const redis = await startRedis(port);
  const opened = open(`redis://127.0.0.1:${port}`);
  await settled(opened, 0);
  opened.log.length = 0;

  await kill(redis);
  for (const consumed of [1, 2, 3]) expect((await opened.counter.count("key:m")).consumed).toBe(consumed);
  expect(await opened.fallback()).toBe(1);
  expect(opened.log).toEqual(["Redis is unreachable, each replica counts rate limits in memory"]);

  await startRedis(port);
  await settled(opened, 0);
  expect((await opened.counter.count("key:m")).consumed).toBe(1);
  expect(opened.log.at(-1)).toBe("Redis is reachable again, rate limits are shared");
});

test("a Redis that hangs is replaced by memory", async () => {
  const port = await freePort();
  const redis = await startRedis(port);
  const opened = open(`redis://127.0.0.1:${port}`);
  await settled(opened, 0);
  redis.kill("SIGSTOP");
  cleanUp.push(() => void redis.kill("SIGCONT"));
  expect((await opened.counter.count("key:h")).consumed).toBe(1);
  expect(await opened.fallback()).toBe(1);
});
