// Bundles the scanner and compiles the bundle in advance. A scanner lives for seconds and starts for every scan.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { builtinsWhenUsed, http1Only, undiciAgentOnly } from "./build-lean.mjs";
import { findNode24 } from "../cli/bin/node24.mjs";

const start = fileURLToPath(new URL("./scanner-start.mjs", import.meta.url));
const compiler = fileURLToPath(new URL("./compile-scanner.mjs", import.meta.url));

/** Options of esbuild, over those of the other bundles: one function, which scanner-start.mjs calls. */
export const scannerStyle = (plugins) => ({
  plugins: [undiciAgentOnly, http1Only, ...plugins.filter((plugin) => plugin !== builtinsWhenUsed)],
  outExtension: { ".js": ".bundle.cjs" },
  format: "cjs",
  define: { "import.meta.url": "bundleUrl" },
  supported: { "dynamic-import": false },
  banner: { js: "(function (require, bundleUrl) {" },
  footer: { js: "})" },
});

/** Puts the start and the compiled code beside the bundle in `folder`. */
export async function compileScanner(folder) {
  const node = findNode24(new URL("..", import.meta.url));
  const bundle = join(folder, "scanner-job.bundle.cjs");
  const text = inAscii(readFileSync(bundle, "utf8"));
  writeFileSync(bundle, `${text}// ${createHash("sha256").update(text).digest("hex")}`);
  copyFileSync(start, join(folder, "scanner-job.mjs"));
  await promisify(execFile)(node, [compiler, folder], { timeout: 60_000 });
}

/** esbuild leaves other characters in patterns only; one of them would double what V8 takes for the whole text. */
const inAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
