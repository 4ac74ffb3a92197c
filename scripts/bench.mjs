// `npm run bench [-- --check] [-- --only cold-start|demo-scan|latency|api|lists|large-reports]`: figures, each a ratio against a baseline of the same run.
// `npm run bench:cluster [-- --check] [-- --only PART] [-- --rounds 3] [-- --scale 1]`: figures of the controller in the
// cluster of KUBECONFIG (docs/benchmarks.md). It needs kubectl, openssl, and pods that reach this machine at its address in the
// network of the nodes. Parts whose requirements are missing are skipped, and the reason is printed.
// Both exit with 0 unless something fails; with --check, with 1 if a goal is missed.
// `npm run bench:detection [-- --only INTERFERENCE]`: what the scanner finds on labelled targets, what it says wrongly, and how it scores
// random APIs that are open or guarded. Exits with 1 if a weakness is missed, a finding is false, its evidence is of another location,
// or an open API scores like a guarded one.
// `npm run bench:soak [-- --minutes 30] [-- --pace 1] [-- --scans 8] [-- --seed N] [-- --logs FOLDER]`: mixed load on the whole service,
// with one outage of each component (docs/faults.md, "Soak"). It needs redis-server. Exits with 1 if a guarantee is violated.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleStyle, ensureBuilt } from "./build.mjs";
import { whyNoCluster } from "./shared/programs.mjs";

const root = new URL("..", import.meta.url);
const folder = fileURLToPath(root);
/** Bundles of bench/ that each program starts as separate processes. */
const processes = { run: ["api-process", "bare-process"], cluster: [], detection: [], soak: [] };

/** The API starts the worker of dist/, as it does where it is shipped. */
const shippedWorker = {
  name: "shipped-worker",
  setup({ onLoad }) {
    const worker = new URL("dist/report-worker.mjs", root).href;
    onLoad({ filter: /\/report-workers\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replace('new URL("./report-worker.ts"', `new URL("${worker}"`),
    }));
  },
};

const [program, ...options] = process.argv.slice(2);
const reason = program === "cluster" ? whyNoCluster() : undefined;
if (reason === undefined) await run();
else {
  console.log(reason);
  process.exitCode = 2;
}

async function run() {
  await ensureBuilt(root);
  const entryPoints = processes[program].map((name) => `bench/${name}.ts`);
  const plugins = [shippedWorker, ...bundleStyle.plugins];
  const outdir = "bench/dist/bundles";
  await build({ ...bundleStyle, plugins, absWorkingDir: folder, entryPoints, outdir });
  const args = ["--conditions=source", `bench/${program}.ts`, ...options];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "inherit" });
  child.on("exit", (code) => process.exit(code ?? 1));
}
