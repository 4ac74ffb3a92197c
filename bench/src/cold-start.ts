import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { confinedArguments } from "../../cli/src/scanner/program.ts";
import { atMost, median, spreadOf, type Figure } from "./figures.ts";
import { orderFor, shippedScanner } from "./scanner.ts";

const ROUNDS = 21;

/** From starting the scanner as the service starts it, to the first request at its target; against `node -e 0`. */
export async function coldStartFigures(): Promise<Figure[]> {
  const target = createServer((_req, res) => res.end("{}"));
  target.listen(0, "127.0.0.1");
  await once(target, "listening");
  try {
    const [products, baselines]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const baseline = await emptyRun();
      const product = await firstRequest(target);
      if (round === 0) continue; // that one filled the disk cache
      baselines.push(baseline);
      products.push(product);
    }
    const ratio = { ...spreadOf(products.map((ms, round) => ms / baselines[round]!)) };
    const ofMedians = { ...ratio, median: median(products) / median(baselines) };
    return [
      {
        name: "Scanner start to first request",
        product: `${Math.round(median(products))} ms`,
        baseline: `${Math.round(median(baselines))} ms`,
        ratio: ofMedians,
        goal: atMost(ofMedians, 4),
      },
    ];
  } finally {
    target.close();
    target.closeAllConnections();
  }
}

async function emptyRun(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { env: {}, stdio: "ignore" }), "exit");
  return performance.now() - started;
}

async function firstRequest(target: Server): Promise<number> {
  const { port } = target.address() as AddressInfo;
  const order = JSON.stringify(orderFor({ url: `http://127.0.0.1:${port}/` }));
  const arrived = once(target, "request").then(() => performance.now());
  const started = performance.now();
  const program = shippedScanner();
  const child = spawn(process.execPath, confinedArguments(program), {
    env: {},
    cwd: dirname(program.file),
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(order);
  const exited = once(child, "exit");
  const failed = exited.then(([code]) => Promise.reject(new Error(`The scanner ended with ${code}`)));
  const at = await Promise.race([arrived, failed]);
  failed.catch(() => {}); // it is killed, having done what it was started for
  child.kill("SIGKILL");
  await exited;
  return at - started;
}
