// Shipped as dist/scanner-job.mjs: runs the bundled scanner from code that V8 compiled when the bundle was built.
// Where V8 cannot use that code (another version, other flags), it compiles the bundle again.
const { readFileSync } = process.getBuiltinModule("node:fs");
const { fileURLToPath } = process.getBuiltinModule("node:url");
const { Script } = process.getBuiltinModule("node:vm");

/** Node's modules that no scan needs before it knows its target: loading them takes as long as Node's own start. */
const WHEN_USED = new Set([
  "node:assert",
  "node:crypto",
  "node:timers/promises",
  "node:tls",
  "node:worker_threads",
  "node:zlib",
]);
const ID_LENGTH = 64;

const beside = (name) => fileURLToPath(new URL(name, import.meta.url));
const filename = beside("./scanner-job.bundle.cjs");
const source = readFileSync(filename, "utf8");

/** What the bundle was compiled to; the build asks it for its code. */
export const script = new Script(source, { filename, cachedData: codeOf(source) });
script.runInThisContext()(requireBuiltin, import.meta.url);

/** V8 compares only the length of the source with the cache; therefore both have the same id. */
function codeOf(text) {
  try {
    const cache = readFileSync(beside("./scanner-job.cache"));
    return cache.latin1Slice(0, ID_LENGTH) === text.slice(-ID_LENGTH) ? cache.subarray(ID_LENGTH) : undefined;
  } catch {
    return undefined;
  }
}

function requireBuiltin(name) {
  return WHEN_USED.has(name) ? whenUsed(name) : process.getBuiltinModule(name);
}

/** Stands for a module, or for `assert`, of which only a failure needs the module. */
function whenUsed(name) {
  return new Proxy(() => {}, {
    get: (_target, key) => process.getBuiltinModule(name)[key],
    apply(_target, _self, [value, message = "An assertion failed"]) {
      if (!value) process.getBuiltinModule(name)(value, message);
    },
  });
}
