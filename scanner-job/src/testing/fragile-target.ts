import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A server in a separate process, which a supervisor starts again whenever it ends. */
export interface SupervisedTarget extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** How often it was started again. */
  readonly restarts: () => number;
}

/**
 * Runs a program that serves at `process.env.PORT` and then writes a line; after it ends, again after `restartMs`. Reuses the
 * port.
 */
export async function superviseProcess(program: string, restartMs: number): Promise<SupervisedTarget> {
  const port = await freePort();
  let [restarts, isDisposed] = [0, false];
  let child: ChildProcess;
  let restarting: NodeJS.Timeout | undefined;
  const start = (): void => {
    child = spawn(process.execPath, ["-e", program], {
      env: { PORT: String(port) },
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.once("exit", () => {
      if (isDisposed) return;
      restarts++;
      restarting = setTimeout(start, restartMs);
    });
  };
  start();
  await once(child!.stdout!, "data");
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    restarts: () => restarts,
    async [Symbol.asyncDispose]() {
      isDisposed = true;
      clearTimeout(restarting);
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
