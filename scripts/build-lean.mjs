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

/** undici's index loads all of it: fetch, WebSocket, mocks, caches. The scanner has one use for it: an Agent with its methods. */
export const undiciAgentOnly = {
  name: "undici-agent-only",
  setup(esbuild) {
    const resolveDir = dirname(fileURLToPath(import.meta.resolve(UNDICI)));
    esbuild.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: "dispatchers" }));
    esbuild.onLoad({ filter: /.*/, namespace: "dispatchers" }, () => ({ resolveDir, contents: AGENT }));
  },
};

/** The scanner's Agent is told to speak no HTTP/2 (transport/connection.ts); undici would load Node's at its start. */
export const http1Only = {
  name: "http1-only",
  setup(esbuild) {
    esbuild.onLoad({ filter: /\/undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
      contents: `module.exports = () => { throw new Error("HTTP/2 is not part of the scanner"); };`,
    }));
  },
};

const UNDICI = "undici"; // a dependency of the scanner, found from here when bundling it
const AGENT = `
import api from "./lib/api/index.js";
import Dispatcher from "./lib/dispatcher/dispatcher.js";
Object.assign(Dispatcher.prototype, api);
export { default as Agent } from "./lib/dispatcher/agent.js";`;
