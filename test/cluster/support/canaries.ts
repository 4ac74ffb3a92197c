import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { addressesForPods } from "./controller.ts";
import { startProcess, type RunningProcess } from "./process.ts";

const PROGRAM = fileURLToPath(new URL("../../../controller/src/canary/main.ts", import.meta.url));

/** Two canaries as processes on this machine, which pods reach at its addresses, as they do those of the chart. */
export interface Canaries {
  /** Where they are: the controller's GLOVEBOX_CANARIES. */
  readonly places: string;
  /** The port of each. */
  readonly ports: readonly number[];
  /** SIGKILL, to the one at this place, or to none where it does not run. */
  kill(index: number): Promise<void>;
  /** Another process at the same place, unless one runs there. */
  start(index: number): Promise<void>;
  close(): Promise<void>;
}

export async function startCanaries(): Promise<Canaries> {
  const addresses = await addressesForPods();
  const ports = [await freePort(addresses[0]!), await freePort(addresses[0]!)];
  const places = ports
    .flatMap((port) =>
      addresses.map((address) => `${address.includes(":") ? `[${address}]` : address}:${port}`),
    )
    .join();
  const running = new Map<number, RunningProcess>();
  const start = async (index: number): Promise<void> => {
    if (running.has(index)) return;
    const env = {
      POD_IPS: addresses.join(),
      GLOVEBOX_CANARY_PORT: String(ports[index]),
      GLOVEBOX_CANARIES: places,
    };
    running.set(index, await startProcess({ program: PROGRAM, ready: /"port":(\d+),"msg":"ready"/, env }));
  };
  await Promise.all([start(0), start(1)]);
  return {
    places,
    ports,
    start,
    async kill(index) {
      await running.get(index)?.kill();
      running.delete(index);
    },
    close: async () => void (await Promise.all([...running.values()].map((canary) => canary.stop()))),
  };
}

async function freePort(address: string): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
