// `npm run bench [-- --check] [-- --only cold-start|demo-scan|api]`: figures, each a ratio against a baseline of the same run.
// `npm run bench:cluster [-- --check] [-- --only PART] [-- --rounds 3] [-- --scale 1]`: figures of the controller in the
// cluster of KUBECONFIG (docs/benchmarks.md). It needs kubectl, openssl, and pods that reach this machine by the address that
// leads to the nodes. What a part lacks is printed, and that part left out.
// Both exit 0 whatever the figures are, unless something broke; with --check 1 when a goal is missed.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleStyle, ensureBuilt } from "./build.mjs";
import { whyNoCluster } from "./shared/programs.mjs";

const root = new URL("..", import.meta.url);
const folder = fileURLToPath(root);
/** By program of bench/: what runs beside it in processes of its own. */
const processes = { run: ["api-process", "bare-process", "demo-process"], cluster: ["demo-process"] };

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
