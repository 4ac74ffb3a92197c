// Runs a script of this repository on Node 24, with any version of the installed Node: `with-node24.mjs SCRIPT [ARG…]`.
// No dependencies, and syntax of Node 20: it is what runs before anything is installed.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { findNode24, installDependencies } from "../cli/bin/node24.mjs";

const root = new URL("..", import.meta.url);
const status = installDependencies(root);
if (status !== 0) process.exit(status);

const child = spawn(findNode24(root), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
