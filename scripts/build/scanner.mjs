// Bundles the scanner so that it starts fast, and compiles the bundle in advance: a scanner lives for seconds and starts
// for every scan.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findNode24 } from "../../cli/bin/node24.mjs";

const start = fileURLToPath(new URL("./scanner-start.mjs", import.meta.url));
const compiler = fileURLToPath(new URL("./compile-scanner.mjs", import.meta.url));

/** Options of esbuild, over the options of the other bundles: one function, which scanner-start.mjs calls. */
export const scannerStyle = (plugins) => ({
  plugins: [
    undiciAgentOnly,
    http2WhenUsed,
    packagesWhenUsed,
    ...plugins.filter((plugin) => plugin !== builtinsWhenUsed),
  ],
  outExtension: { ".js": ".bundle.cjs" },
  format: "cjs",
  define: { "import.meta.url": "bundleUrl" },
  supported: { "dynamic-import": false },
  banner: { js: "(function (require, bundleUrl) {" },
  footer: { js: "})" },
});

/** Puts the start and the compiled code beside the bundle in `folder`. */
export async function compileScanner(folder) {
  const node = findNode24(new URL("../..", import.meta.url));
  const bundle = join(folder, "scanner-job.bundle.cjs");
  const text = readFileSync(bundle, "utf8");
  writeFileSync(bundle, `${text}// ${createHash("sha256").update(text).digest("hex")}`);
  copyFileSync(start, join(folder, "scanner-job.mjs"));
  await promisify(execFile)(node, [compiler, folder], { timeout: 60_000 });
}

/** Node's own modules are fetched when first used: linking them as ES modules reads each of their exports at start. */
export const builtinsWhenUsed = {
  name: "builtins-when-used",
  setup(esbuild) {
    esbuild.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: "builtin" }));
    esbuild.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** undici's index loads all of it: fetch, WebSocket, mocks, caches. The scanner has one use for it: an Agent with its methods. */
const undiciAgentOnly = {
  name: "undici-agent-only",
  setup(esbuild) {
    const resolveDir = dirname(fileURLToPath(import.meta.resolve(UNDICI)));
    esbuild.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: "dispatchers" }));
    esbuild.onLoad({ filter: /.*/, namespace: "dispatchers" }, () => ({ resolveDir, contents: AGENT }));
  },
};

/** undici's HTTP/2 loads Node's, which most scans have no use for: it is fetched when a target first chooses it. */
const http2WhenUsed = {
  name: "http2-when-used",
  setup(esbuild) {
    const namespace = "when-used";
    esbuild.onResolve({ filter: /\/client-h2\.js$/ }, (args) => {
      const path = join(args.resolveDir, args.path);
      return args.namespace === namespace ? { path } : { path, namespace };
    });
    esbuild.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      resolveDir: dirname(path),
      contents: `module.exports = (...args) => require("./client-h2.js")(...args);`,
    }));
  },
};

/** Packages with large tables that no scan needs before it knows its target, and what is used of them. */
const PACKAGES_WHEN_USED = { parse5: ["defaultTreeAdapter", "parse"], tldts: ["getDomain"] };

/** Such a package is run when something of it is first used. */
const packagesWhenUsed = {
  name: "packages-when-used",
  setup(esbuild) {
    const namespace = "package-when-used";
    const filter = new RegExp(`^(${Object.keys(PACKAGES_WHEN_USED).join("|")})$`);
    esbuild.onResolve({ filter }, ({ path, namespace: from, resolveDir }) =>
      from === namespace ? undefined : { path, namespace, pluginData: { resolveDir } },
    );
    esbuild.onLoad({ filter: /.*/, namespace }, ({ path, pluginData: { resolveDir } }) => ({
      resolveDir,
      contents: PACKAGES_WHEN_USED[path].map((name) => exportWhenUsed(path, name)).join("\n"),
    }));
  },
};

const exportWhenUsed = (path, name) =>
  `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => require("${path}").${name} });`;

const UNDICI = "undici"; // a dependency of the scanner, found from here when bundling it
const AGENT = `
import api from "./lib/api/index.js";
import Dispatcher from "./lib/dispatcher/dispatcher.js";
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from "./lib/dispatcher/agent.js";`;
