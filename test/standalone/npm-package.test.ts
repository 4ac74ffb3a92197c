import { execFile, execFileSync } from "node:child_process";
import { globSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { scanSchema } from "@glovebox/contract";
import { startDemo, type Demo } from "@glovebox/demo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder, type CommandResult } from "./command.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MEGABYTE = 1_000_000;
/** PATH without the programs of this repository's dependencies, one of which is Node 24. */
const PATH = process.env["PATH"]!.split(delimiter).filter((entry) => !entry.includes("node_modules"));
const SYSTEM_NODE = PATH.join(delimiter);
const NODE_24 = [dirname(process.execPath), ...PATH].join(delimiter);
const version = execFileSync("node", ["--version"], { encoding: "utf8", env: { PATH: SYSTEM_NODE } });

const folder = temporaryFolder();
const inFolder = { cwd: folder.path, encoding: "utf8", maxBuffer: 64 * MEGABYTE } as const;
let demo: Demo;
let packed: { filename: string; files: { path: string }[] };

beforeAll(async () => {
  const args = ["pack", "--workspace", "cli", "--json", "--pack-destination", folder.path];
  const output = execFileSync("npm", args, {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  [packed] = Object.values(JSON.parse(output) as Record<string, typeof packed>) as [typeof packed];
  execFileSync("npm", ["install", "--offline", `./${packed.filename}`], inFolder);
  demo = await startDemo({ variant: "vulnerable", port: 0, certificateDir: folder.path });
  writeFileSync(join(folder.path, "ca.pem"), demo.caPem);
});
afterAll(async () => {
  await demo?.close();
  folder[Symbol.dispose]();
});

/** Runs the installed command with npx and the first `node` of `path`. */
function npx(path: string, ...args: string[]): Promise<CommandResult> {
  const { HOME } = process.env;
  const env = {
    HOME,
    PATH: path,
    XDG_CACHE_HOME: join(folder.path, "cache"),
    npm_config_prefer_offline: "true",
  };
  return new Promise((resolve) => {
    execFile("npx", ["--no", "glovebox", ...args], { ...inFolder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const scan = (path: string, ...args: string[]): Promise<CommandResult> =>
  npx(
    path,
    "scan",
    demo.url,
    "--spec",
    `${demo.url}/openapi.json`,
    "--allow-private",
    "--ca",
    "ca.pem",
    ...args,
  );

describe("the npm package", () => {
  test("contains exactly the command, its bundles, the licence and a README", () => {
    const parts = packed.files.map(({ path }) =>
      path.replace(/^(dist\/bundle\/(?:dashboard|migrations|sql|swagger-ui-dist))\/.*/, "$1/"),
    );
    expect([...new Set(parts)].toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "bin/glovebox.mjs",
      "bin/node24.mjs",
      "dist/bundle/dashboard/",
      "dist/bundle/glovebox.mjs",
      "dist/bundle/migrations/",
      "dist/bundle/node24/package-lock.json",
      "dist/bundle/node24/package.json",
      "dist/bundle/outcome-worker.mjs",
      "dist/bundle/report-worker.mjs",
      "dist/bundle/scanner-job.bundle.cjs",
      "dist/bundle/scanner-job.cache",
      "dist/bundle/scanner-job.mjs",
      "dist/bundle/spec-worker.mjs",
      "dist/bundle/sql/",
      "dist/bundle/swagger-ui-dist/",
      "dist/bundle/third-party-licenses.txt",
      "package.json",
    ]);
  });

  test("installs without dependencies, with less than 20 MB", () => {
    expect(globSync("node_modules/*", inFolder)).toEqual([join("node_modules", "glovebox")]);
    const sizes = globSync("node_modules/**/*", inFolder).map(
      (path) => statSync(join(folder.path, path)).size,
    );
    expect(sizes.reduce((sum, size) => sum + size) / MEGABYTE).toBeLessThan(20);
  });

  test("scans, prints a valid report, and exits with 1 when a threshold is reached", async () => {
    const { code, stdout } = await scan(NODE_24, "--format", "json", "--fail-on", "high");
    expect(code).toBe(1);
    expect(scanSchema.parse(JSON.parse(stdout))).toMatchObject({ status: "completed", url: `${demo.url}/` });
  });

  test.runIf(/^v2[0-3]\./.test(version))(
    "installs Node 24 once if the system has an older Node, and scans with it",
    async () => {
      const first = await scan(SYSTEM_NODE);
      expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Score \d+ of 100/m) });
      expect(first.stderr).toContain("Installing Node 24.");
      expect((await npx(SYSTEM_NODE, "--version")).stderr).not.toContain("Installing");
    },
    240_000,
  );

  test("`serve` without a database exits with 2 and the reason", async () => {
    const { code, stderr } = await npx(NODE_24, "serve");
    expect(stderr).toMatch(/^glovebox: There are no PostgreSQL binaries .*DATABASE_URL/m);
    expect(code).toBe(2);
  });
});
