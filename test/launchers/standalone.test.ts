import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { createEgressPolicy } from "@glovebox/egress";
import type { Store } from "@glovebox/store";
import { fakeScanner } from "../../cli/src/scanner/testing/fake-scanner.ts";
import { createScanWorker, launcherFor } from "../../cli/src/standalone/scan-worker.ts";
import { launcherContract, type LauncherUnderTest } from "./launcher-contract.ts";

launcherContract("the worker of one machine", async (store) => {
  const scanners = await startScannerRegistry();
  const program = fakeScanner(`
    import { connect } from "node:net";
    const order = await new Promise((resolve) => process.stdin.once("data", resolve));
    connect(${scanners.port}, "127.0.0.1").write(JSON.parse(order).scanId + "\\n");
    setInterval(() => {}, 1000);`);
  let worker = await startWorker(store, program.program);
  const system: LauncherUnderTest = {
    launcher: launcherFor({ wake: () => worker.wake(), cancel: (id) => worker.cancel(id) }),
    startedCount: (id) => scanners.started.filter((known) => known === id).length,
    isRunning: (id) => scanners.running.has(id),
    makeUnavailable: () => worker.stop(),
    async restore() {
      worker = await startWorker(store, program.program);
    },
    async close() {
      await worker.stop();
      await scanners.close();
      program[Symbol.dispose]();
    },
  };
  return system;
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
      allow: [],
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

/** A server to which scanners send their scan id over a connection that stays open while they run. */
async function startScannerRegistry() {
  const running = new Map<string, Socket>();
  const started: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    createInterface(socket).once("line", (id) => {
      started.push(id);
      running.set(id, socket);
      socket.once("close", () => running.delete(id));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, running, started, close };
}
