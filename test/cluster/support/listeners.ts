import { spawn } from "node:child_process";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { nodeProgram, podOf } from "./node-program.ts";
import { apply, getJson, kubectl } from "./kubectl.ts";
import { until } from "./until.ts";

/** Somebody who listens by TCP and UDP and counts who calls. */
export interface Listener {
  readonly addresses: readonly string[];
  readonly port: number;
  /** Protocol and address of each caller. */
  callers(): Promise<string[]>;
  close(): Promise<void>;
}

const callersIn = (lines: readonly string[]): string[] => lines.filter((line) => /^(tcp|udp) /.test(line));

/** A pod that listens; it goes with its namespace. */
export async function listenInPod(
  name: string,
  { namespace, port, spec = {} }: { namespace: string; port: number; spec?: object },
): Promise<Listener> {
  const container = nodeProgram("listener.mjs", String(port));
  await apply(podOf({ name, namespace, labels: { app: name } }, container, spec));
  // By its word: a probe of the kubelet's would be a caller, too.
  const lines = async () => (await kubectl(["logs", name, "-n", namespace]).catch(() => "")).split("\n");
  await until(`the listener ${name}`, async () =>
    (await lines()).some((line) => line.startsWith("listening ")),
  );
  const { status } = await getJson<{ status: { podIPs: { ip: string }[] } }>("pod", name, "-n", namespace);
  return {
    addresses: status.podIPs.map(({ ip }) => ip),
    port,
    callers: async () => callersIn((await kubectl(["logs", name, "-n", namespace])).split("\n")),
    close: async () => void (await kubectl(["delete", "pod", name, "-n", namespace])),
  };
}

const PROGRAM = fileURLToPath(new URL("listener.mjs", import.meta.url));

/** A process that listens at these addresses; `command` is what runs it elsewhere than on this machine. */
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
    () => ready.reject(new Error(`Nobody listens at ${addresses.join(", ")}`)),
    (error: unknown) => ready.reject(error as Error),
  );
  const bound = await ready.promise;
  return {
    addresses,
    port: bound,
    callers: async () => callersIn(lines),
    async close() {
      child.kill();
      await ended;
    },
  };
}

const METADATA = "169.254.169.254";

/**
 * Servers outside the cluster, where GLOVEBOX_CLUSTER_WORLD is a command that runs a program there, at any address of
 * the ranges in GLOVEBOX_CLUSTER_WORLD_CIDRS: on "the internet", and a cloud's metadata service among the ranges.
 */
export async function listenInWorld(): Promise<{ internet?: Listener; metadata?: Listener }> {
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

/** The only address of a range, or one inside of it. */
function addressIn(range: string): string {
  const [network = "", bits = ""] = range.split("/");
  if (bits === "32" || bits === "128") return network;
  return isIPv6(network) ? network.replace(/::$/, "::10") : network.replace(/\.0$/, ".10");
}
