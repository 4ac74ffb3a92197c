// `npm pack --workspace cli` runs this first: it puts what the npm package `glovebox` ships into cli/dist/bundle/.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { ensureBuilt } from "./build.mjs";

const root = new URL("..", import.meta.url);
const bundle = new URL("cli/dist/bundle/", root);

/** Of dist/. The other bundles run on Kubernetes, and nothing reads the source maps of an installed package. */
const shipped = [
  "glovebox.mjs",
  "outcome-worker.mjs",
  "report-worker.mjs",
  "scanner-job.mjs",
  "scanner-job.bundle.cjs",
  "scanner-job.cache",
  "spec-worker.mjs",
  "third-party-licenses.txt",
  "migrations",
  "sql",
  "dashboard",
  "swagger-ui-dist",
];

await ensureBuilt(root);
rmSync(bundle, { recursive: true, force: true });
for (const name of shipped) cpSync(new URL(`dist/${name}`, root), new URL(name, bundle), { recursive: true });
copyFileSync(new URL("LICENSE", root), new URL("cli/LICENSE", root));
writeNodeManifest(new URL("node24/", bundle));

/** The Node 24 that an older Node installs: exact, and with the hashes of the lockfile of this repository. */
function writeNodeManifest(folder) {
  const { optionalDependencies } = readJson("package.json");
  const isNode = ([path]) => /^node_modules\/node-[a-z]+-\w+$/.test(path);
  const locked = Object.fromEntries(Object.entries(readJson("package-lock.json").packages).filter(isNode));
  const names = Object.keys(locked).map((path) => path.replace("node_modules/", ""));
  const wanted = Object.fromEntries(names.map((name) => [name, optionalDependencies[name]]));
  const manifest = { name: "node24", version: wanted[names[0]], optionalDependencies: wanted };
  const lock = { ...manifest, lockfileVersion: 3, packages: { "": manifest, ...locked } };
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("package.json", folder), JSON.stringify(manifest, null, 2));
  writeFileSync(new URL("package-lock.json", folder), JSON.stringify(lock, null, 2));
}

function readJson(path) {
  return JSON.parse(readFileSync(new URL(path, root), "utf8"));
}
