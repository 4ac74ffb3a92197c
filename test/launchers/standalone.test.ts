import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { createEgressPolicy } from "@glovebox/egress";
import type { Store } from "@glovebox/store";
import { fakeScanner } from "../../cli/src/scanner/fake-scanner.ts";
import { createScanWorker, launcherFor } from "../../cli/src/standalone/scan-worker.ts";
import { launcherContract, type CarriedOutBy } from "./launcher-contract.ts";

launcherContract("the worker of one machine", async (store) => {
  const scanners = await startRegister();
  const program = fakeScanner(`
    import { connect } from "node:net";
    const order = await new Promise((resolve) => process.stdin.once("data", resolve));
    connect(${scanners.port}, "127.0.0.1").write(JSON.parse(order).scanId + "\\n");
    setInterval(() => {}, 1000);`);
  let worker = await startWorker(store, program.program);
  const carrier: CarriedOutBy = {
    launcher: launcherFor({ wake: () => worker.wake(), cancel: (id) => worker.cancel(id) }),
    begun: (id) => scanners.begun.filter((known) => known === id).length,
    isUnderWay: (id) => scanners.open.has(id),
    goAway: () => worker.stop(),
    async comeBack() {
      worker = await startWorker(store, program.program);
    },
    async close() {
      await worker.stop();
      await scanners.close();
      program[Symbol.dispose]();
    },
  };
  return carrier;
});

async function startWorker(
  store: Store,
  program: Parameters<typeof createScanWorker>[0]["program"] & object,
) {
  const worker = createScanWorker({
    store,
    order: {
      policy: createEgressPolicy(),
      lookup: async () => ["93.184.215.14"],
      extraCa: undefined,
      demo: undefined,
    },
    logger: { warn: () => undefined },
    maxConcurrent: 4,
    program,
  });
  await worker.start();
  return worker;
}

/** Where scanners report by a connection that stays open for as long as they live. */
async function startRegister() {
  const open = new Map<string, Socket>();
  const begun: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    createInterface(socket).once("line", (id) => {
      begun.push(id);
      open.set(id, socket);
      socket.once("close", () => open.delete(id));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, open, begun, close };
}
