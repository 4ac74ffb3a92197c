// `npm run images [-- TARGET…]`: builds the images of the Dockerfile with docker, podman or buildah, and writes each to
// dist/images/TARGET.tar (docker-archive). GLOVEBOX_IMAGE_BUILDER names one of the three, GLOVEBOX_NODE_IMAGE another base.
// `--push REGISTRY --tag TAG` pushes them as REGISTRY/glovebox/TARGET:TAG instead, by docker buildx: a release.
// Only when named, `standalone`, which compose.yaml runs, and `postgres`, `redis` and `kubectl`, which an evaluation and an
// example need on a cluster without a registry.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./build.mjs";
import { billOfMaterials } from "./images/bill-of-materials.mjs";
import { builders, pushCommand } from "./images/builders.mjs";
import { layOutStore } from "./images/store-roots.mjs";

const root = new URL("..", import.meta.url);
const folder = fileURLToPath(root);

const OWN = { file: "Dockerfile", context: "." };
const STORES = { file: "scripts/images/stores/Dockerfile", context: "dist/images/roots" };

/** Targets by the source that has them, with the workspace that is in the image; the largest archive allowed, in MB. */
const targets = {
  api: { source: OWN, workspace: "@glovebox/api" },
  controller: { source: OWN, workspace: "@glovebox/controller" },
  "scanner-job": { source: OWN, workspace: "@glovebox/scanner-job", maxMegabytes: 160 },
  standalone: { source: OWN, workspace: "glovebox" },
  postgres: { source: STORES },
  redis: { source: STORES },
  kubectl: { source: STORES },
};
const defaults = ["api", "controller", "scanner-job"];

async function main(args) {
  const options = { push: { type: "string" }, tag: { type: "string" } };
  const { values, positionals: names } = parseArgs({ args, options, allowPositionals: true });
  if ((values.push === undefined) !== (values.tag === undefined))
    throw new Error("--push REGISTRY and --tag TAG belong together");
  const wanted = names.length > 0 ? names : defaults;
  const unknown = wanted.find((name) => !(name in targets));
  if (unknown) throw new Error(`${unknown}: no such image; there are ${Object.keys(targets).join(", ")}`);
  const builder = values.push ? undefined : chooseBuilder(process.env.GLOVEBOX_IMAGE_BUILDER);
  if (wanted.some((name) => targets[name].source === OWN)) await ensureBuilt(root);
  mkdirSync(new URL("dist/images/", root), { recursive: true });
  for (const name of wanted) {
    if (builder) makeImage(name, builder);
    else pushImage(name, values);
  }
}

function chooseBuilder(asked) {
  if (asked && !(asked in builders))
    throw new Error(`GLOVEBOX_IMAGE_BUILDER: must be one of ${Object.keys(builders).join(", ")}`);
  const candidates = asked ? [asked] : Object.keys(builders);
  const name = candidates.find((it) => spawnSync(it, ["info"], { stdio: "ignore" }).status === 0);
  if (!name) throw new Error(`Building images needs ${candidates.join(", or ")}; none of it works here.`);
  return builders[name];
}

function makeImage(name, builder) {
  const { source, maxMegabytes = Infinity } = targets[name];
  prepare(name);
  const tag = `localhost/glovebox/${name}:dev`; // not a real registry: never pulled
  const archive = `dist/images/${name}.tar`;
  rmSync(new URL(archive, root), { force: true });
  for (const command of builder({ ...source, target: name, tag, archive, buildArgs: buildArgs() }))
    run(command);
  const megabytes = statSync(new URL(archive, root)).size / 1e6;
  console.log(`${tag}  ${archive}  ${megabytes.toFixed(1)} MB`);
  if (megabytes > maxMegabytes) throw new Error(`${archive} is larger than ${maxMegabytes} MB`);
}

function pushImage(name, { push: registry, tag }) {
  prepare(name);
  const reference = `${registry}/glovebox/${name}:${tag}`;
  run(pushCommand({ ...targets[name].source, target: name, tag: reference, buildArgs: buildArgs() }));
}

/** Makes in dist/images/ what the image copies from there. */
function prepare(name) {
  const made = new URL("dist/images/", root);
  if (targets[name].source === STORES) layOutStore(name, fileURLToPath(new URL("roots", made)));
  else writeFileSync(new URL(`${name}.cdx.json`, made), billOfMaterials(folder, { name, ...targets[name] }));
}

function buildArgs() {
  const { version } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
  const revision = spawnSync("git", ["rev-parse", "HEAD"], { cwd: folder, encoding: "utf8" });
  return {
    VERSION: version,
    ...(revision.status === 0 && { REVISION: revision.stdout.trim() }),
    ...(process.env.GLOVEBOX_NODE_IMAGE && { NODE_IMAGE: process.env.GLOVEBOX_NODE_IMAGE }),
  };
}

function run([program, ...args]) {
  const { status } = spawnSync(program, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
