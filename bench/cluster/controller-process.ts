import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startCanaries } from "../../test/cluster/support/canaries.ts";
import { addressesForPods } from "../../test/cluster/support/controller.ts";

/** As in its image (Dockerfile). Without settings it ends at once, and leaves in the cache what was compiled. */
const AS_IN_IMAGE = {
  NODE_ENV: "production",
  NODE_COMPILE_CACHE: join(tmpdir(), "glovebox-bench-compile-cache"),
  NODE_OPTIONS: "--max-semi-space-size=4",
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "65536",
};
const BUNDLE = fileURLToPath(new URL("../../dist/controller.mjs", import.meta.url));

/** The controller as it ships, as a process on this machine. */
export interface ControllerProcess extends AsyncDisposable {
  readonly pid: number;
  /** When its process was started, by `performance.now()`. */
  readonly startedAt: number;
  /** How many scans it has brought to their end, by its log: asking for metrics costs it more than a scan does. */
  readonly finished: number;
  /** Its own metrics, by name, of those without labels. */
  metrics(): Promise<Readonly<Record<string, number>>>;
}

export type ControllerEnvironment = Readonly<Record<string, string>>;

/** Starts it and waits until it is ready. */
export async function startController(environment: ControllerEnvironment): Promise<ControllerProcess> {
  const [podIp] = await addressesForPods();
  const canaries = await startCanaries();
  spawnSync(process.execPath, [BUNDLE], { env: AS_IN_IMAGE, stdio: "ignore" });
  const startedAt = performance.now();
  const child = spawn(process.execPath, [BUNDLE], {
    env: {
      PATH: process.env["PATH"],
      KUBECONFIG: process.env["KUBECONFIG"],
      POD_IP: podIp,
      PORT: "0",
      GLOVEBOX_HOST: "127.0.0.1",
      GLOVEBOX_CANARIES: canaries.places,
      ...AS_IN_IMAGE,
      ...environment,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const last: string[] = [];
  const exited = once(child, "exit");
  const ready = Promise.withResolvers<void>();
  let [finished, port] = [0, 0];
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (last.push(line) > 20) last.shift();
    if (/"level":[56]0/.test(line)) console.error(`    ${line}`);
    if (line.includes('"msg":"ready"')) {
      port = (JSON.parse(line) as { port: number }).port;
      ready.resolve();
    }
    if (line.includes('"msg":"scan finished"')) finished++;
  });
  const gone = exited.then(() => Promise.reject(new Error(`The controller ended:\n${last.join("\n")}`)));
  await Promise.race([ready.promise, gone]);
  gone.catch(() => {}); // it is told to end when it has done what it was started for
  return {
    pid: child.pid!,
    startedAt,
    get finished() {
      if (child.exitCode !== null) throw new Error(`The controller ended:\n${last.join("\n")}`);
      return finished;
    },
    async metrics() {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
      const lines = (await answer.text()).split("\n").filter((line) => /^\w+ /.test(line));
      return Object.fromEntries(
        lines.map((line) => line.split(" ")).map(([name, value]) => [name, Number(value)]),
      );
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.kill("SIGTERM")) await exited;
      await canaries.close();
    },
  };
}
