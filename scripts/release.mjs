// `npm run release -- COMMAND`: the steps of a release, which .github/workflows/release.yml takes one after another.
//
//   version                          of changesets: the next version in every file that has it, and the changelog
//   name REPOSITORY                  names the npm package after the owner of REPOSITORY (OWNER/NAME on GitHub)
//   check TAG                        fails unless the tag is the version of every part
//   notes                            prints the notes of this version
//   chart REGISTRY REPOSITORY        dist/chart/glovebox-VERSION.tgz, whose images are in the registry
//   action FOLDER                    the tree of the GitHub Action: what is committed of it, and the bundle of dist/
//   publish-images REGISTRY ARCH…    joins the images of these architectures (VERSION-ARCH) under VERSION, and signs them
//   publish-chart REGISTRY           pushes dist/chart/glovebox-VERSION.tgz to REGISTRY/charts, and signs it
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  hasSection,
  newestSection,
  withConstant,
  withOrigin,
  withRegistry,
  withSection,
  withVersion,
} from "./release/texts.mjs";

const root = new URL("..", import.meta.url);
const CHART = "charts/glovebox";
const PACKAGED = "dist/chart";
const PRODUCT = "contract/src/product.ts";
/** What `glovebox scan` needs of dist/, on every system: no code that V8 compiled for one of them. */
const SCAN_BUNDLE = [
  "glovebox.mjs",
  "outcome-worker.mjs",
  "scanner-job.mjs",
  "scanner-job.bundle.cjs",
  "spec-worker.mjs",
  "third-party-licenses.txt",
];

const read = (path) => readFileSync(new URL(path, root), "utf8");
const write = (path, text) => writeFileSync(new URL(path, root), text);
const readJson = (path) => JSON.parse(read(path));
const writeJson = (path, value) => write(path, `${JSON.stringify(value, null, 2)}\n`);
const ownVersion = () => readJson("cli/package.json").version;
const changelog = () => (existsSync(new URL("CHANGELOG.md", root)) ? read("CHANGELOG.md") : "# Changelog\n");
const chartArchive = () => `${PACKAGED}/glovebox-${ownVersion()}.tgz`;

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: fileURLToPath(root),
    encoding: "utf8",
  });
  if (error || status !== 0)
    throw new Error(`${program} ${args.join(" ")} failed\n${error?.message ?? `${stdout}${stderr}`}`);
  return `${stdout}${stderr}`; // Helm prints what it has pushed to one, and to the other in later versions
}

const commands = {
  version() {
    run(process.execPath, "node_modules/@changesets/cli/bin.js", "version");
    const version = ownVersion();
    if (version === readJson("package.json").version)
      throw new Error("There is no changeset: nothing to release");
    writeJson("package.json", { ...readJson("package.json"), version });
    const lock = readJson("package-lock.json");
    lock.version = lock.packages[""].version = lock.packages.cli.version = version;
    writeJson("package-lock.json", lock);
    write(`${CHART}/Chart.yaml`, withVersion(read(`${CHART}/Chart.yaml`), version));
    write(PRODUCT, withConstant(read(PRODUCT), "VERSION", version));
    const date = new Date().toISOString().slice(0, 10);
    write("CHANGELOG.md", withSection(changelog(), { version, date, written: read("cli/CHANGELOG.md") }));
    rmSync(new URL("cli/CHANGELOG.md", root));
    console.log(`${version}: look through CHANGELOG.md, commit, and tag the commit v${version}`);
  },

  name(repository) {
    const name = `@${repository.split("/")[0].toLowerCase()}/glovebox`;
    const origin = { type: "git", url: `git+https://github.com/${repository}.git`, directory: "cli" };
    writeJson("cli/package.json", { ...readJson("cli/package.json"), name, repository: origin });
    write(PRODUCT, withConstant(read(PRODUCT), "PACKAGE_NAME", name));
    write("cli/README.md", read("cli/README.md").replaceAll("npx glovebox", `npx ${name}`));
  },

  check(tag) {
    const version = tag?.replace(/^v/, "");
    const parts = {
      "package.json": readJson("package.json").version,
      "cli/package.json": ownVersion(),
      [PRODUCT]: /^export const VERSION = "(.*)";$/m.exec(read(PRODUCT))[1],
      "version of the chart": /^version: (.*)$/m.exec(read(`${CHART}/Chart.yaml`))[1],
      "appVersion of the chart": /^appVersion: (.*)$/m.exec(read(`${CHART}/Chart.yaml`))[1],
    };
    const wrong = Object.entries(parts).filter(([, found]) => found !== version);
    const problems = [
      ...wrong.map(([part, found]) => `${part} is ${found}, not ${version}`),
      ...(hasSection(changelog(), version) ? [] : [`CHANGELOG.md has no section ${version}`]),
      ...pendingChangesets().map((name) => `.changeset/${name} is not part of the release`),
    ];
    if (problems.length > 0) throw new Error(problems.join("\n"));
  },

  notes() {
    console.log(newestSection(changelog()));
  },

  chart(registry, repository) {
    const folder = `${PACKAGED}/glovebox`;
    rmSync(new URL(PACKAGED, root), { recursive: true, force: true });
    mkdirSync(new URL(PACKAGED, root), { recursive: true });
    cpSync(new URL(CHART, root), new URL(folder, root), { recursive: true });
    const revision = run("git", "rev-parse", "HEAD").trim();
    const notes = newestSection(changelog());
    const origin = { registry, repository, revision, version: ownVersion(), notes };
    write(`${folder}/Chart.yaml`, withOrigin(read(`${folder}/Chart.yaml`), origin));
    write(`${folder}/values.yaml`, withRegistry(read(`${folder}/values.yaml`), registry));
    run("helm", "package", folder, "--destination", PACKAGED);
    console.log(chartArchive());
  },

  action(folder) {
    for (const path of ["LICENSE", "action.yml", "action"]) copyInto(folder, path, path);
    for (const file of SCAN_BUNDLE) copyInto(folder, `dist/${file}`, `action/bundle/${file}`);
  },

  "publish-images"(registry, ...architectures) {
    for (const name of ["api", "controller", "scanner-job"]) {
      const image = `${registry}/glovebox/${name}`;
      const tag = `${image}:${ownVersion()}`;
      const parts = architectures.map((architecture) => `${tag}-${architecture}`);
      run("docker", "buildx", "imagetools", "create", "--tag", tag, ...parts);
      const digest = run(
        "docker",
        "buildx",
        "imagetools",
        "inspect",
        tag,
        "--format",
        "{{.Manifest.Digest}}",
      );
      sign(image, digest);
    }
  },

  "publish-chart"(registry) {
    const pushed = run("helm", "push", chartArchive(), `oci://${registry}/charts`);
    sign(`${registry}/charts/glovebox`, pushed);
  },
};

const copyInto = (folder, path, target) =>
  cpSync(new URL(path, root), join(folder, target), { recursive: true });

/** By the identity of the workflow that runs, without a key. */
function sign(image, text) {
  const digest = /sha256:[0-9a-f]{64}/.exec(text)?.[0];
  if (!digest) throw new Error(`No digest of ${image} in: ${text}`);
  run("cosign", "sign", "--yes", `${image}@${digest}`);
  console.log(`${image}@${digest}`);
}

function pendingChangesets() {
  const folder = new URL(".changeset/", root);
  const isChangeset = (name) => name.endsWith(".md") && name !== "README.md";
  return existsSync(folder) ? readdirSync(folder).filter(isChangeset) : [];
}

const [name = "", ...args] = process.argv.slice(2);
try {
  if (!Object.hasOwn(commands, name))
    throw new Error(`${name || "(none)"}: no such command; there are ${Object.keys(commands).join(", ")}`);
  commands[name](...args);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
