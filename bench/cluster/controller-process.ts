import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startCanaries } from "../../test/cluster/support/canaries.ts";
import { addressesForPods } from "../../test/cluster/support/controller.ts";

/** Environment of the image (Dockerfile). */
const IMAGE_ENVIRONMENT = {
  NODE_ENV: "production",
  NODE_COMPILE_CACHE: join(tmpdir(), "glovebox-bench-compile-cache"),
  NODE_OPTIONS: "--max-semi-space-size=4",
  MALLOC_ARENA_MAX: "1",
  MALLOC_TRIM_THRESHOLD_: "65536",
};
const BUNDLE = fileURLToPath(new URL("../../dist/controller.mjs", import.meta.url));

/** The bundled controller as a process on this machine. */
export interface ControllerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Start of the process, as `performance.now()`. */
  readonly startedAt: number;
  /** Number of scans that have ended, from its log: a request for its metrics would cost more than a scan. */
  readonly finished: number;
  /** Its metrics without labels, by name. */
  metrics(): Promise<Readonly<Record<string, number>>>;
}

export type ControllerEnvironment = Readonly<Record<string, string>>;

/** Starts the controller and waits until it is ready. */
export async function startController(environment: ControllerEnvironment): Promise<ControllerProcess> {
  const [podIp] = await addressesForPods();
  const canaries = await startCanaries();
  // Exits immediately for lack of settings: this fills the compile cache.
  spawnSync(process.execPath, [BUNDLE], { env: IMAGE_ENVIRONMENT, stdio: "ignore" });
  const startedAt = performance.now();
  const child = spawn(process.execPath, [BUNDLE], {
    env: {
      PATH: process.env["PATH"],
      KUBECONFIG: process.env["KUBECONFIG"],
      POD_IP: podIp,
      PORT: "0",
      GLOVEBOX_HOST: "127.0.0.1",
      GLOVEBOX_CANARIES: canaries.endpoints,
      ...IMAGE_ENVIRONMENT,
      ...environment,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lastLines: string[] = [];
  const exited = once(child, "exit");
  const ready = Promise.withResolvers<void>();
  let [finished, port] = [0, 0];
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (lastLines.push(line) > 20) lastLines.shift();
    if (/"level":[56]0/.test(line)) console.error(`    ${line}`);
    if (line.includes('"msg":"ready"')) {
      port = (JSON.parse(line) as { port: number }).port;
      ready.resolve();
    }
    if (line.includes('"msg":"scan finished"')) finished++;
  });
  const failed = exited.then(() =>
    Promise.reject(new Error(`The controller exited:\n${lastLines.join("\n")}`)),
  );
  await Promise.race([ready.promise, failed]);
  failed.catch(() => {});
  return {
    pid: child.pid!,
    startedAt,
    get finished() {
      if (child.exitCode !== null) throw new Error(`The controller exited:\n${lastLines.join("\n")}`);
      return finished;
    },
    async metrics() {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      const lines = (await response.text()).split("\n").filter((line) => /^\w+ /.test(line));
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
