// What makes a bundle start faster without changing what it does. A scanner lives for seconds and starts for every scan.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

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

/**
 * The Kubernetes client is mostly APIs and models made from the description of Kubernetes. Of those, and of the rest, a
 * bundle gets what it uses: the package does not say that loading its files does nothing else.
 */
export const kubernetesClientWhatIsUsed = {
  name: "kubernetes-client-what-is-used",
  setup(esbuild) {
    const ofClient = /\/@kubernetes\/client-node\/dist\//;
    esbuild.onResolve(
      { filter: /^(\.|@kubernetes\/client-node$)/ },
      async ({ path, pluginData, ...args }) => {
        if (pluginData === RESOLVING) return;
        if (path.startsWith(".") && !ofClient.test(args.importer)) return;
        const found = await esbuild.resolve(path, { ...args, pluginData: RESOLVING });
        return { ...found, sideEffects: found.path.endsWith("/polyfill.js") };
      },
    );
  },
};
const RESOLVING = Symbol("resolving");

/**
 * undici's index loads all of it: fetch, WebSocket, mocks, caches. What ships has one use for it: the named dispatchers, with
 * the methods that the index gives to each. Another import of it ends the build.
 */
export const undiciOnly = (...dispatchers) => ({
  name: "undici-only",
  setup(esbuild) {
    const resolveDir = dirname(fileURLToPath(import.meta.resolve(UNDICI)));
    esbuild.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: "dispatchers" }));
    esbuild.onLoad({ filter: /.*/, namespace: "dispatchers" }, () => ({
      resolveDir,
      contents: only(dispatchers),
    }));
  },
});

/** The scanner's Agent is told to speak no HTTP/2 (transport/connection.ts); undici would load Node's at its start. */
export const http1Only = {
  name: "http1-only",
  setup(esbuild) {
    esbuild.onLoad({ filter: /\/undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
      contents: `module.exports = () => { throw new Error("HTTP/2 is not part of the scanner"); };`,
    }));
  },
};

const UNDICI = "undici"; // a dependency of several packages, found from here when bundling them
const only = (dispatchers) => `
import api from "./lib/api/index.js";
import Dispatcher from "./lib/dispatcher/dispatcher.js";
Object.assign(Dispatcher.prototype, api);
// Parts of the Kubernetes client that no bundle has would use it.
export const fetch = undefined;
${dispatchers.map((name) => `export { default as ${name} } from "./lib/dispatcher/${FILES[name]}.js";`).join("\n")}`;
const FILES = { Agent: "agent", ProxyAgent: "proxy-agent" };
