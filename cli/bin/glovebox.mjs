#!/usr/bin/env node
// The `glovebox` command. No dependencies and syntax of Node 20: on a fresh clone it runs before anything is installed.
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import module from "node:module";
import { constants } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { installDependencies } from "../../scripts/install.mjs";
import { findNode24 } from "../../scripts/node24.mjs";

// npx starts this file through a link in its cache; what it needs lies beside the file itself.
const root = new URL("../../", pathToFileURL(realpathSync(fileURLToPath(import.meta.url))));
installDependencies(root);
const { ensureBuilt } = await import(new URL("scripts/build.mjs", root).href);
await ensureBuilt(root);

const bundle = new URL("dist/glovebox.mjs", root);
const compileCache = fileURLToPath(new URL("dist/.compile-cache", root));
const node = findNode24(root);
if (node === process.execPath) await runHere();
else runWith(node);

async function runHere() {
  module.enableCompileCache(compileCache);
  process.argv[1] = fileURLToPath(bundle);
  await import(bundle.href);
}

function runWith(executable) {
  const child = spawn(executable, [fileURLToPath(bundle), ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
