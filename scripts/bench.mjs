// `npm run bench [-- --check] [-- --only cold-start|demo-scan|api]`: figures, each a ratio against a baseline of the
// same run. Exits 0 whatever they are, unless something broke; with --check 1 when a goal is missed.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleStyle, ensureBuilt } from "./build.mjs";

const root = new URL("..", import.meta.url);
const folder = fileURLToPath(root);
const processes = ["api-process", "bare-process", "demo-process"];

await ensureBuilt(root);
await build({
  ...bundleStyle,
  absWorkingDir: folder,
  entryPoints: processes.map((name) => `bench/${name}.ts`),
  outdir: "bench/dist/bundles",
});

const args = ["--conditions=source", "bench/run.ts", ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { cwd: folder, stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
