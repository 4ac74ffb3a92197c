// `npm run bench [-- --check] [-- --only cold-start|demo-scan|latency|api|lists]`: figures, each a ratio against a baseline of the same run.
// `npm run bench:cluster [-- --check] [-- --only PART] [-- --rounds 3] [-- --scale 1]`: figures of the controller in the
// cluster of KUBECONFIG (docs/benchmarks.md). It needs kubectl, openssl, and pods that reach this machine at its address in the
// network of the nodes. Parts whose requirements are missing are skipped, and the reason is printed.
// Both exit with 0 unless something fails; with --check, with 1 if a goal is missed.
// `npm run bench:detection [-- --only NUISANCE]`: what the scanner finds on labelled targets, what it says wrongly, and how it scores
// random APIs that are open or guarded. Exits with 1 if a weakness is missed, a finding is false, its evidence is of another place,
// or an open API scores like a guarded one.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleStyle, ensureBuilt } from "./build.mjs";
import { whyNoCluster } from "./shared/programs.mjs";

const root = new URL("..", import.meta.url);
const folder = fileURLToPath(root);
/** Bundles of bench/ that each program starts as separate processes. */
const processes = { run: ["api-process", "bare-process"], cluster: [], detection: [] };

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
  await build({ ...bundleStyle, absWorkingDir: folder, entryPoints, outdir: "bench/dist/bundles" });
  const args = ["--conditions=source", `bench/${program}.ts`, ...options];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "inherit" });
  child.on("exit", (code) => process.exit(code ?? 1));
}
