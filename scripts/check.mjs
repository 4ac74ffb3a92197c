// `npm run check [-- STEP…]`: everything that can be known without a database, a browser or a network, or some of its steps.
// One line per step.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tool = (path, ...args) => [process.execPath, [`node_modules/${path}`, ...args]];
const knip = (...args) => tool("knip/bin/knip.js", "--no-progress", "--no-config-hints", ...args);
const types = { name: "types", command: tool("typescript/bin/tsc", "-b") };

const steps = [
  {
    name: "unit",
    command: tool("vitest/vitest.mjs", "run", "--project", "unit*", "--reporter", "dot"),
  },
  { name: "lint", command: tool("oxlint/bin/oxlint", "--deny-warnings") },
  { name: "format", command: tool("oxfmt/bin/oxfmt", "--check") },
  { name: "boundaries", command: [process.execPath, ["scripts/boundaries.mjs"]] },
  { name: "unused", command: knip() },
  // What only tests use is unused too, unless a docstring says that it is for them: `@internal`.
  { name: "unused", command: knip("--production", "--include", "files,exports,types") },
];
const WIDTH = 2; // steps at a time; the slowest two of them fill two cores

/** Type-checking first: linting reads the declarations that it writes. */
async function check(names) {
  const known = steps.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) throw new Error(`${unknown}: no such step; there are ${known.join(", ")}`);
  const passed = [await run(types)];
  const waiting = names.length === 0 ? [...steps] : steps.filter(({ name }) => names.includes(name));
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) passed.push(await run(step));
  };
  await Promise.all(Array.from({ length: WIDTH }, lane));
  return passed.every(Boolean);
}

async function run({ name, command: [file, args] }) {
  const started = performance.now();
  const { code, output } = await outcomeOf(file, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5);
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${name.padEnd(12)} ${seconds} s`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}

function outcomeOf(file, args) {
  const child = spawn(file, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code) => resolve({ code, output: Buffer.concat(output).toString() }));
  });
}

const started = performance.now();
const passed = await check(process.argv.slice(2));
console.log(`${passed ? "passed" : "failed"} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exitCode = passed ? 0 : 1;
