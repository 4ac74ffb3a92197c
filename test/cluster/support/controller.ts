import { createSocket } from "node:dgram";
import { fileURLToPath } from "node:url";
import { nodeAddresses } from "./cluster-addresses.ts";
import { SCANNER_IMAGE } from "./node-program.ts";
import { startProcess, type RunningProcess } from "./process.ts";

const PROGRAM = fileURLToPath(new URL("../../../controller/src/main.ts", import.meta.url));
/** Loaded before a program: TEST_HOSTS is what its lookups find. */
export const NAMES = new URL("names.mjs", import.meta.url).href;

/** The controller as a process on this machine. */
export interface ControllerProcess extends RunningProcess {
  /** Where /metrics is. */
  readonly url: string;
}

/** Addresses by name, for its lookups; of a name that rebinds, what is found first and what later. */
export type Hosts = Readonly<
  Record<string, Addresses | { readonly first: Addresses; readonly later: Addresses }>
>;
type Addresses = string | readonly string[];

export interface ControllerOptions {
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly hosts: Hosts;
  /** GLOVEBOX_CANARIES must be among them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

/** Starts it and waits until it is ready, which is not yet that it leads. */
export async function startController(options: ControllerOptions): Promise<ControllerProcess> {
  const { databaseUrl, namespace, hosts, settings, onLine } = options;
  const [podIp] = await addressesForPods();
  const controller = await startProcess({
    program: PROGRAM,
    preload: NAMES,
    ready: /"port":(\d+),"msg":"ready"/,
    onLine,
    env: {
      KUBECONFIG: process.env["KUBECONFIG"],
      DATABASE_URL: databaseUrl,
      POD_IP: podIp,
      PORT: "0",
      GLOVEBOX_HOST: "127.0.0.1",
      GLOVEBOX_NAMESPACE: namespace,
      GLOVEBOX_LOG_LEVEL: "debug",
      GLOVEBOX_JOB_TTL_SECONDS: "0",
      SCANNER_IMAGE,
      TEST_HOSTS: JSON.stringify(hosts),
      ...settings,
    },
  });
  return { ...controller, url: `http://127.0.0.1:${controller.said}` };
}

/** The addresses of this machine that nodes, and so pods, reach it by: one for each family of the nodes. */
export const addressesForPods = async (): Promise<string[]> =>
  Promise.all((await nodeAddresses()).map(addressTowards));

async function addressTowards(node: string): Promise<string> {
  const socket = createSocket(node.includes(":") ? "udp6" : "udp4");
  try {
    await new Promise<void>((resolve) => socket.connect(9, node, () => resolve()));
    return socket.address().address;
  } finally {
    socket.close();
  }
}

/** How many reports the controller has lost since it started. */
export async function resultsLost({ url }: { readonly url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^glovebox_results_lost_total (\d+)$/m.exec(metrics)?.[1]);
}
