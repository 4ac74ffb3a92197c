import { createSocket } from "node:dgram";
import { fileURLToPath } from "node:url";
import { nodeAddresses } from "./cluster-addresses.ts";
import { SCANNER_IMAGE } from "./node-program.ts";
import { startProcess, type RunningProcess } from "./process.ts";

const PROGRAM = fileURLToPath(new URL("../../../controller/src/main.ts", import.meta.url));
/** A module to load before a program: TEST_HOSTS are the results of its DNS lookups. */
export const FAKE_DNS_AND_CLOCK = new URL("fake-dns-and-clock.mjs", import.meta.url).href;

/** The controller as a process on this machine. */
export interface ControllerProcess extends RunningProcess {
  /** Its base URL, of `/metrics` and `/readyz`. */
  readonly url: string;
}

/** Results of DNS lookups by name. For DNS rebinding, the result of the first lookup and of all later ones. */
export type Hosts = Readonly<
  Record<string, Addresses | { readonly first: Addresses; readonly later: Addresses }>
>;
type Addresses = string | readonly string[];

export interface ControllerOptions {
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly hosts: Hosts;
  /** Environment variables. GLOVEBOX_CANARIES is required. */
  readonly settings: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}

/** Starts the controller and waits until it is ready. It may not have been elected yet. */
export async function startController(options: ControllerOptions): Promise<ControllerProcess> {
  const { databaseUrl, namespace, hosts, settings, onLine } = options;
  const [podIp] = await addressesForPods();
  const controller = await startProcess({
    program: PROGRAM,
    preload: FAKE_DNS_AND_CLOCK,
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
  return { ...controller, url: `http://127.0.0.1:${controller.readyMatch}` };
}

/** The addresses by which nodes and pods reach this machine: one for each address family of the nodes. */
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

/** The value of a metric without labels; NaN if the process does not export it. */
export async function metricOf({ url }: { readonly url: string }, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]);
}

/** How many reports the controller has lost since it started. */
export const resultsLost = (controller: { readonly url: string }): Promise<number> =>
  metricOf(controller, "glovebox_results_lost_total");
