import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SCANNER_IMAGE } from "./images.ts";
import { getJson } from "./kubectl.ts";

const PROGRAM = fileURLToPath(new URL("../../../controller/src/main.ts", import.meta.url));
const NAMES = new URL("names.mjs", import.meta.url).href;

/** The controller as a process on this machine. */
export interface ControllerProcess {
  readonly lines: readonly string[];
  /** Where /metrics is. */
  readonly url: string;
  /** SIGTERM, in good order; gives the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL: no chance to tidy up. */
  kill(): Promise<void>;
}

export interface ControllerOptions {
  readonly databaseUrl: string;
  readonly namespace: string;
  /** Addresses by name, for its lookups. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts it and waits until it is ready, which is not yet that it leads. */
export async function startController(options: ControllerOptions): Promise<ControllerProcess> {
  const { databaseUrl, namespace, hosts, settings = {} } = options;
  const podIp = await addressForPods();
  const child = spawn(process.execPath, ["--conditions=source", `--import=${NAMES}`, PROGRAM], {
    env: {
      PATH: process.env["PATH"],
      KUBECONFIG: process.env["KUBECONFIG"],
      DATABASE_URL: databaseUrl,
      POD_IP: podIp,
      PORT: "0",
      GLOVEBOX_HOST: "127.0.0.1",
      GLOVEBOX_CANARY_PORT: "0",
      GLOVEBOX_CANARY_HOST: podIp,
      GLOVEBOX_NAMESPACE: namespace,
      GLOVEBOX_LOG_LEVEL: "debug",
      SCANNER_IMAGE,
      TEST_HOSTS: JSON.stringify(hosts),
      ...settings,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  return follow(child);
}

async function follow(child: ChildProcess): Promise<ControllerProcess> {
  const lines: string[] = [];
  const ended = once(child, "close") as Promise<[number | null]>;
  const ready = Promise.withResolvers<number>();
  createInterface({ input: child.stderr! }).on("line", (line) => {
    lines.push(line);
    const [, port] = /"port":(\d+),"msg":"ready"/.exec(line) ?? [];
    if (port) ready.resolve(Number(port));
  });
  const gone = ended.then(() => {
    throw new Error(`The controller ended before it was ready:\n${lines.join("\n")}`);
  });
  const port = await Promise.race([ready.promise, gone]);
  gone.catch(() => undefined);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  return {
    lines,
    url: `http://127.0.0.1:${port}`,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}

/** The address of this machine that nodes, and so pods, reach it by. */
async function addressForPods(): Promise<string> {
  const { items } = await getJson<NodeList>("nodes");
  const node = items[0]!.status.addresses.find(({ type }) => type === "InternalIP")!;
  const socket = createSocket(node.address.includes(":") ? "udp6" : "udp4");
  try {
    await new Promise<void>((resolve) => socket.connect(9, node.address, () => resolve()));
    return socket.address().address;
  } finally {
    socket.close();
  }
}

interface NodeList {
  readonly items: readonly { status: { addresses: { type: string; address: string }[] } }[];
}
