// `npm test`: every test that needs no cluster. What is missing on this machine is named, and is an error when CI=true.
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { installDependencies } from "../cli/bin/node24.mjs";
import { ensureBuilt } from "./build.mjs";
import { isInstalled } from "./shared/programs.mjs";
import { conclude, runVitest } from "./shared/vitest.mjs";

const root = new URL("..", import.meta.url);

/** Programs that some tests start; `files` are those tests, by name. `expectedIf` replaces CI=true. */
const programs = [
  { name: "redis-server", files: "**/*.redis.test.ts", install: "apt-get install redis-server" },
  { name: "chromium", files: "test/{browser,dashboard}/**/*.test.ts", install: "apt-get install chromium" },
  {
    name: "helm",
    files: "test/chart/**/*.test.ts",
    install: "https://helm.sh/docs/intro/install",
    expectedIf: "GLOVEBOX_EXPECT_HELM", // Debian has no package of it; it comes with the cluster of the end-to-end tests
  },
];

/** One more than Vitest's default: much of the time is spent waiting for programs that a test started. */
const WORKERS = ["--maxWorkers", String(availableParallelism())];

async function test() {
  const missing = [...programs.filter(({ name }) => !isInstalled(name, "--version")), ...missingApis()];
  const expected = missing.filter(({ expectedIf = "CI" }) => process.env[expectedIf] === "true");
  if (expected.length > 0) return refuse(expected);

  try {
    await ensureBuilt(root);
  } catch (error) {
    console.log(error.message);
    return { code: 1, passed: 0, failed: 1, skipped: 0 };
  }
  const leftOut = missing.flatMap(testsThatNeed);
  const excluded = leftOut.flatMap(({ file }) => ["--exclude", file]);
  const outcome = await runVitest([...WORKERS, ...excluded, ...process.argv.slice(2)]);
  for (const { file, reason } of leftOut) console.log(`Left out: ${file}, because ${reason}.`);
  return { ...outcome, skipped: outcome.skipped + leftOut.length };
}

function refuse(missing) {
  for (const { name, files, expectedIf = "CI" } of missing)
    console.log(`${expectedIf}=true, but ${name} is missing: ${files} cannot run.`);
  return { code: 1, passed: 0, failed: missing.length, skipped: 0 };
}

function testsThatNeed({ name, files, install }) {
  const found = globSync(files, { cwd: fileURLToPath(root), exclude: ["**/node_modules/**", "**/dist/**"] });
  return found.map((file) => ({ file, reason: `${name} is not installed (${install})` }));
}

/** The APIs of other authors come from a registry; without one, the tests that scan them are left out. */
function missingApis() {
  const folder = new URL("test/real-apis/", root);
  if (installDependencies(folder, ["--ignore-scripts", "--fetch-retries=1"]) === 0) return [];
  const install = "npm ci --prefix test/real-apis";
  return [{ name: "APIs of other authors", files: "test/real-apis/**/*.test.ts", install }];
}

conclude(await test());
