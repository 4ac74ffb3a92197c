import { fileURLToPath } from "node:url";
import { freePort } from "../../support/free-port.ts";
import { hostPort } from "./cluster-addresses.ts";
import { addressesForPods } from "./controller.ts";
import { startProcess, type RunningProcess } from "./process.ts";

const PROGRAM = fileURLToPath(new URL("../../../controller/src/canary/main.ts", import.meta.url));

/** Two canaries as processes on this machine, which pods reach by its addresses. */
export interface Canaries {
  /** The controller's GLOVEBOX_CANARIES. */
  readonly endpoints: string;
  /** The port of each. */
  readonly ports: readonly number[];
  /** Sends SIGKILL to the canary with this index, if it runs. */
  kill(index: number): Promise<void>;
  /** Starts a canary with the same address and port, unless one runs. */
  start(index: number): Promise<void>;
  close(): Promise<void>;
}

export async function startCanaries(): Promise<Canaries> {
  const addresses = await addressesForPods();
  const ports = [await freePort(addresses[0]), await freePort(addresses[0])];
  const endpoints = ports.flatMap((port) => addresses.map((address) => hostPort(address, port))).join();
  const running = new Map<number, RunningProcess>();
  const start = async (index: number): Promise<void> => {
    if (running.has(index)) return;
    const env = {
      POD_IPS: addresses.join(),
      GLOVEBOX_CANARY_PORT: String(ports[index]),
      GLOVEBOX_CANARIES: endpoints,
    };
    running.set(index, await startProcess({ program: PROGRAM, ready: /"port":(\d+),"msg":"ready"/, env }));
  };
  await Promise.all([start(0), start(1)]);
  return {
    endpoints,
    ports,
    start,
    async kill(index) {
      await running.get(index)?.kill();
      running.delete(index);
    },
    close: async () => void (await Promise.all([...running.values()].map((canary) => canary.stop()))),
  };
}
