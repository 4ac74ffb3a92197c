// `npm run bench:cluster [-- --check] [-- --only PART] [-- --rounds 3] [-- --scale 1]`: figures of the controller in the
// cluster of KUBECONFIG (docs/benchmarks.md). Needs kubectl, openssl, and pods that reach this machine by the address that
// leads to the nodes. What is missing for a part is printed, and that part left out.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleStyle, ensureBuilt } from "./build.mjs";
import { whyNoCluster } from "./cluster.mjs";

const root = new URL("..", import.meta.url);
const folder = fileURLToPath(root);

const reason = whyNoCluster();
if (reason === undefined) await run();
else {
  console.log(reason);
  process.exitCode = 2;
}

async function run() {
  await ensureBuilt(root);
  await build({
    ...bundleStyle,
    absWorkingDir: folder,
    entryPoints: ["bench/demo-process.ts"],
    outdir: "bench/dist/bundles",
  });
  const args = ["--conditions=source", "bench/cluster.ts", ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: "inherit" });
  child.on("exit", (code) => process.exit(code ?? 1));
}
