import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { FAKE_DNS_AND_CLOCK } from "../../test/cluster/support/controller.ts";
import { SCANNER_IMAGE } from "../../test/cluster/support/node-program.ts";
import { apply, kubectl } from "../../test/cluster/support/kubectl.ts";
import { EXTRA_CA, extraCaObject } from "../../test/cluster/support/certificate.ts";
import { startTarget } from "../../test/cluster/support/target.ts";
import { declareLoadAccount } from "../src/child.ts";
import { atMost, median, spreadOf, type Figure } from "../src/figures.ts";
import type { Fixture } from "./fixture.ts";

const API = fileURLToPath(new URL("../../dist/api.mjs", import.meta.url));
const HOST = "api.shop.example";

/** Time from the POST to the first request at the target, compared with a pod of the same image that sends one request. */
export async function firstRequestFigures(
  fixture: Fixture,
  { rounds, report }: { readonly rounds: number; readonly report: (line: string) => void },
): Promise<Figure[]> {
  const { database, namespace } = fixture;
  await using cleanup = new AsyncDisposableStack();
  const targetNamespace = `${namespace}-target`;
  const target = await startTarget({ namespace: targetNamespace, hostName: HOST });
  cleanup.defer(() => target.remove());
  await apply(extraCaObject(namespace, target.caPem));
  const names = {
    NODE_OPTIONS: `--import=${FAKE_DNS_AND_CLOCK}`,
    TEST_HOSTS: JSON.stringify({ [HOST]: target.address }),
    GLOVEBOX_EGRESS_ALLOW: `${target.address}/32`,
  };
  cleanup.use(
    await fixture.controller({
      ...names,
      GLOVEBOX_EXTRA_CA_CONFIG_MAP: EXTRA_CA,
      GLOVEBOX_SCANNER_FILE: "",
      SCANNER_IMAGE,
    }),
  );
  const api = cleanup.use(
    await startApi({ ...names, DATABASE_URL: database.url, GLOVEBOX_NAMESPACE: namespace }),
  );
  const { key } = await declareLoadAccount(database.store, "first-request");
  const requests = cleanup.use(followRequests(targetNamespace));
  const [products, baselines]: [number[], number[]] = [[], []];
  const measure = {
    async product(round: number) {
      const path = `/v1/product-${round}`;
      const started = performance.now();
      const response = await fetch(`${api.url}/v1/scan`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          prefer: "respond-async",
        },
        body: JSON.stringify({ url: `https://${HOST}${path}` }),
      });
      const body = await response.text();
      if (!response.ok) throw new Error(`POST /v1/scan: ${response.status} ${body}`);
      products.push((await requests.first(path)) - started);
    },
    async baseline(round: number) {
      const path = `/bare/${round}`;
      const options = { host: target.address, path, rejectUnauthorized: false };
      const program = `require("node:https").get(${JSON.stringify(options)})`;
      const pod = ["run", `bare-${round}`, "-n", targetNamespace, "--restart=Never"];
      const image = [`--image=${SCANNER_IMAGE}`, "--image-pull-policy=IfNotPresent"];
      const started = performance.now();
      const running = kubectl([...pod, ...image, "--command", "--", "node", "-e", program]);
      baselines.push((await requests.first(path)) - started);
      await running;
    },
  };
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? (["product", "baseline"] as const) : (["baseline", "product"] as const);
    for (const which of order) {
      await measure[which](round);
      await fixture.clear();
    }
    report(`first request: ${Math.round(products.at(-1)!)} ms, bare pod ${Math.round(baselines.at(-1)!)} ms`);
  }
  // The first round fills caches and does not count.
  const ratio = spreadOf(products.map((ms, round) => ms / baselines[round]!).slice(1));
  return [
    {
      name: "POST to first request at the target, kubectl run",
      product: `${Math.round(median(products.slice(1)))} ms`,
      baseline: `${Math.round(median(baselines.slice(1)))} ms`,
      ratio,
      goal: atMost(ratio, 1.3),
    },
  ];
}

/** Follows the target's log for the time of its first request for a path. */
function followRequests(namespace: string) {
  const child = spawn("kubectl", ["logs", "-f", "target", "-n", namespace], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const seen: { line: string; at: number }[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => seen.push({ line, at: performance.now() }));
  return {
    async first(path: string): Promise<number> {
      for (let waited = 0; waited < 180_000; waited += 5) {
        const found = seen.find(({ line }) => line.endsWith(` ${path}`));
        if (found) return found.at;
        await delay(5);
      }
      throw new Error(`The target got no request for ${path}`);
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function startApi(
  environment: Readonly<Record<string, string>>,
): Promise<{ url: string } & AsyncDisposable> {
  const child = spawn(process.execPath, [API], {
    env: {
      PATH: process.env["PATH"],
      KUBECONFIG: process.env["KUBECONFIG"],
      PORT: "0",
      GLOVEBOX_HOST: "127.0.0.1",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      if (/"level":"?(error|50)/.test(line)) console.error(`    ${line}`);
      const [, found] = /"url":"([^"]+)"/.exec(line) ?? [];
      if (found && line.includes('"msg":"ready"')) url.resolve(found);
    });
  }
  child.once("exit", (code) => url.reject(new Error(`The API exited with ${code}`)));
  return { url: await url.promise, [Symbol.asyncDispose]: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}
