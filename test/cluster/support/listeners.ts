import { spawn } from "node:child_process";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { nodeProgram, podOf } from "./node-program.ts";
import { apply, getJson, kubectl } from "./kubectl.ts";
import { until } from "./until.ts";

/** A server on TCP and UDP that records its clients (listener.mjs). */
export interface Listener {
  readonly addresses: readonly string[];
  readonly port: number;
  /** Protocol and address of each client, such as `tcp 10.0.0.1`. */
  clients(): Promise<string[]>;
  close(): Promise<void>;
}

const clientsIn = (lines: readonly string[]): string[] => lines.filter((line) => /^(tcp|udp) /.test(line));

/** Starts a listener in a pod, which is deleted with its namespace at the latest. */
export async function listenInPod(
  name: string,
  { namespace, port, spec = {} }: { namespace: string; port: number; spec?: object },
): Promise<Listener> {
  const container = nodeProgram("listener.mjs", String(port));
  await apply(podOf({ name, namespace, labels: { app: name } }, container, spec));
  // Its log says when it is ready: a readiness probe would be recorded as a client.
  const lines = async () => (await kubectl(["logs", name, "-n", namespace]).catch(() => "")).split("\n");
  await until(`the listener ${name}`, async () =>
    (await lines()).some((line) => line.startsWith("listening ")),
  );
  const { status } = await getJson<{ status: { podIPs: { ip: string }[] } }>("pod", name, "-n", namespace);
  return {
    addresses: status.podIPs.map(({ ip }) => ip),
    port,
    clients: async () => clientsIn((await kubectl(["logs", name, "-n", namespace])).split("\n")),
    close: async () => void (await kubectl(["delete", "pod", name, "-n", namespace])),
  };
}

const PROGRAM = fileURLToPath(new URL("listener.mjs", import.meta.url));

/** Starts a listener process on these addresses; `command` runs it in another network than this machine's. */
export async function listenInProcess(
  addresses: readonly string[],
  { port = 0, command = [] }: { port?: number; command?: readonly string[] } = {},
): Promise<Listener> {
  const [program, ...args] = [...command, process.execPath, PROGRAM, String(port), ...addresses];
  const child = spawn(program!, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  const ended = once(child, "close");
  const ready = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    if (line.startsWith("listening ")) ready.resolve(Number(line.split(" ")[1]));
  });
  ended.then(
    () => ready.reject(new Error(`The listener at ${addresses.join(", ")} ended before it was ready`)),
    (error: unknown) => ready.reject(error as Error),
  );
  const bound = await ready.promise;
  return {
    addresses,
    port: bound,
    clients: async () => clientsIn(lines),
    async close() {
      child.kill();
      await ended;
    },
  };
}

const METADATA = "169.254.169.254";

/**
 * Starts listeners outside the cluster: on the internet, and at the address of cloud metadata services. GLOVEBOX_CLUSTER_WORLD is
 * a command that runs a program there, GLOVEBOX_CLUSTER_WORLD_CIDRS are the ranges of addresses that it may use.
 */
export async function listenOutside(): Promise<{ internet?: Listener; metadata?: Listener }> {
  const { GLOVEBOX_CLUSTER_WORLD: command, GLOVEBOX_CLUSTER_WORLD_CIDRS: ranges = "" } = process.env;
  if (!command) return {};
  const addresses = ranges.split(/\s+/).filter(Boolean).map(addressIn);
  const internet = addresses.filter((address) => address !== METADATA);
  return {
    ...(internet.length > 0 && {
      internet: await listenInProcess(internet, { port: 443, command: [command] }),
    }),
    ...(addresses.includes(METADATA) && {
      metadata: await listenInProcess([METADATA], { port: 80, command: [command] }),
    }),
  };
}

/** An address of the range. */
function addressIn(range: string): string {
  const [network = "", bits = ""] = range.split("/");
  if (bits === "32" || bits === "128") return network;
  return isIPv6(network) ? network.replace(/::$/, "::10") : network.replace(/\.0$/, ".10");
}
