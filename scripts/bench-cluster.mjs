// `npm run bench:cluster [-- --check] [-- --only PART] [-- --rounds 3] [-- --scale 1]`: figures of the controller in the
// cluster of KUBECONFIG (docs/benchmarks.md). Needs kubectl, openssl, and pods that reach this machine by the address that
// leads to the nodes. Says what it leaves out for want of something more.
import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleStyle, ensureBuilt } from "./build.mjs";

const root = new URL("..", import.meta.url);
const folder = fileURLToPath(root);

const reason = obstacle();
if (reason === undefined) await run();
else {
  console.log(reason);
  process.exitCode = 2;
}

/** Why nothing can be measured; nothing when it can. */
function obstacle() {
  if (!process.env.KUBECONFIG) return "KUBECONFIG is not set: there is no cluster to measure on.";
  const { error, status } = spawnSync("kubectl", ["get", "--raw", "/readyz"], {
    stdio: "ignore",
    timeout: 20_000,
  });
  if (error?.code === "ENOENT") return "kubectl is not installed.";
  return status === 0 ? undefined : "The cluster of KUBECONFIG does not answer.";
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
