#!/usr/bin/env node
// The `glovebox` command, of a clone and of the npm package. No dependencies and syntax of Node 20: on a fresh clone it
// runs before anything is installed.
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import module from "node:module";
import { constants } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cachedNode24, findNode24, installDependencies } from "./node24.mjs";

// npm starts this file through a link; what it needs lies beside the file itself.
const self = pathToFileURL(realpathSync(fileURLToPath(import.meta.url)));
const isClone = existsSync(new URL("../src/main.ts", self));
const { dist, node } = await (isClone ? ofClone(new URL("../../", self)) : ofPackage(new URL("../", self)));

const bundle = new URL("glovebox.mjs", dist);
const compileCache = fileURLToPath(new URL(".compile-cache", dist));
if (node === process.execPath) await runHere();
else runWith(node);

async function ofClone(root) {
  const status = installDependencies(root);
  if (status !== 0) process.exit(status);
  const { ensureBuilt } = await import(new URL("scripts/build.mjs", root).href);
  await ensureBuilt(root);
  return { dist: new URL("dist/", root), node: findNode24(root) };
}

function ofPackage(root) {
  try {
    return { dist: new URL("dist/bundle/", root), node: cachedNode24(new URL("dist/bundle/node24/", root)) };
  } catch (error) {
    console.error(`glovebox: ${error.message}`);
    return process.exit(2);
  }
}

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
