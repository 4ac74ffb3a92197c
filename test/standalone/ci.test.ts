import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startDemo, type Demo } from "@glovebox/demo";
import { XMLValidator } from "fast-xml-parser";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { read } from "../docs/repository.ts";
import { startLocalApi } from "./local-api.ts";
import { temporaryFolder } from "./command.ts"; // builds the bundle

const TOKEN = "token-of-the-pipeline-9d31";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const folder = temporaryFolder();
const workspace = join(folder.path, "workspace");
const inWorkspace = (name: string): string => readFileSync(join(workspace, name), "utf8");
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ variant: "vulnerable", port: 0, certificateDir: folder.path });
  mkdirSync(workspace);
  writeFileSync(join(workspace, "ca.pem"), demo.caPem);
  writeFileSync(
    join(workspace, "openapi.yaml"),
    "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths:\n  /v2/patients:\n    get: {responses: {}}\n",
  );
});
afterAll(async () => {
  await demo.close();
  folder[Symbol.dispose]();
});

interface Action {
  readonly inputs: Readonly<Record<string, { default?: string; required?: boolean }>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly runs: { readonly using: string; readonly main: string };
}
const action = load(read("action.yml")) as Action;

/** The action as the runner starts it: with the defaults of action.yml, and files for summary and outputs. */
async function runAction(inputs: Record<string, string>, root = ROOT) {
  const temp = join(folder.path, "temp");
  mkdirSync(temp, { recursive: true });
  const files = { GITHUB_STEP_SUMMARY: join(temp, "summary"), GITHUB_OUTPUT: join(temp, "output") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const defaults = Object.entries(action.inputs).map(([name, { default: value = "" }]) => [name, value]);
  const given = Object.entries({ ...Object.fromEntries(defaults), ...inputs });
  const env = {
    ...{
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
    },
    ...{ GITHUB_TOKEN: "a-secret", ...files },
    ...Object.fromEntries(given.map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
  };
  const child = spawn(process.execPath, [join(root, action.runs.main)], { cwd: workspace, env });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
  const [code] = await once(child, "close");
  const outputs = readFileSync(files.GITHUB_OUTPUT, "utf8").matchAll(/^(\w+)<<(\S+)\n(.*)\n\2$/gm);
  return {
    code,
    printed,
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8"),
    outputs: Object.fromEntries([...outputs].map(([, name, , value]) => [name, value])),
  };
}

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}
const workflow = load(read("docs/ci/github.yml")) as { jobs: { scan: { steps: Step[] } } };
const documented = workflow.jobs.scan.steps.find(({ uses }) => uses?.includes("glovebox@"))!.with!;

describe("the GitHub Action", () => {
  test("runs on Node 24, and the documented workflow gives it inputs that it has", () => {
    expect(action.runs.using).toBe("node24");
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(documented)));
  });

  test("the GitHub Action of the documented workflow fails on a high finding, with annotations, summary, SARIF and outputs", async () => {
    const own = { url: demo.url, identities: "", "allow-private": "true", ca: "ca.pem" };
    const { code, printed, summary, outputs } = await runAction({ ...documented, ...own });
    expect(code).toBe(1);
    expect(printed).toMatch(/^::error .*title=critical%2C confirmed::/m);
    expect(printed.match(/^::error /gm)).toHaveLength(10);
    expect(printed).toMatch(/^::\w+ file=openapi\.yaml,line=[45],title=/m);
    expect(printed).not.toContain("a-secret");
    expect(summary).toMatch(/^# Security scan of /);
    expect(outputs).toMatchObject({
      sarif: "glovebox.sarif",
      grade: "F",
      score: expect.stringMatching(/^\d+$/),
    });
    const [run] = JSON.parse(inWorkspace("glovebox.sarif")).runs;
    expect(outputs["findings"]).toBe(String(run.results.length));
    expect(inWorkspace("glovebox.html")).toMatch(/^<!doctype html>/);
  }, 120_000);

  test("needs no more than the tree of a release", async () => {
    const tree = join(folder.path, "tree");
    const { status } = spawnSync(process.execPath, [join(ROOT, "scripts/release.mjs"), "action", tree]);
    expect(status).toBe(0);
    const own = { url: demo.url, "allow-private": "true", ca: "ca.pem", timeout: "20" };
    const { code, outputs } = await runAction(own, tree);
    expect([code, outputs["grade"]]).toEqual([0, "F"]);
  }, 120_000);

  test("prints nothing of the target where the runner would take it for a command", async () => {
    const { printed } = await runAction({
      url: demo.url,
      "allow-private": "true",
      ca: "ca.pem",
      annotations: "false",
    });
    const outside = printed.replaceAll(/^::stop-commands::(\S+)$[\s\S]*?^::\1::$/gm, "");
    expect(outside.trim()).toBe("");
  }, 120_000);

  test.each(["identities", "identity-file"])(
    "scans as somebody by %s, and masks each secret first",
    async (name) => {
      await using api = await startLocalApi({ tokens: [TOKEN] });
      const text = `identities: [{name: ci, headers: {Authorization: "Bearer ${TOKEN}"}}]`;
      writeFileSync(join(workspace, "ci-identities.yaml"), text);
      const { code, printed, outputs } = await runAction({
        ...{
          url: `http://localhost:${api.port}`,
          [name]: name === "identities" ? text : "ci-identities.yaml",
        },
        ...{ include: "/orders/**\n", exclude: "DELETE\n  /orders/2\n", annotations: "false" },
      });
      expect([code, outputs["grade"]]).toEqual([0, expect.any(String)]);
      const masks = `::add-mask::Bearer ${TOKEN}\n::add-mask::${TOKEN}\n`;
      expect(printed.startsWith(masks)).toBe(true);
      expect(printed.slice(masks.length)).not.toContain(TOKEN);
      expect(api.requests).toContain("GET /orders/1 200");
      expect(api.requests.filter((request) => /customers|orders\/2 |^DELETE/.test(request))).toEqual([]);
    },
    120_000,
  );

  test.each([
    [
      { url: "https://api.example.com", identities: `a: ${TOKEN}` },
      "GLOVEBOX_IDENTITIES: identities: must be a list",
    ],
    [{ url: "http://8.8.8.8" }, "plain HTTP could be read"],
    [{ url: "" }, "The input url is required."],
    [{ url: "--version" }, "url: is not a valid URL"],
    [{ url: "https://api.example.com", "fail-on": "worst" }, "--fail-on: must be one of"],
  ])(
    "the GitHub Action with %j ends with 2 and says why, and has no SARIF to upload",
    async (inputs, message) => {
      const { code, printed, outputs } = await runAction(inputs);
      expect(code).toBe(2);
      expect(printed).toContain(message);
      expect(outputs["sarif"] ?? "").toBe("");
    },
  );
});

describe("the job for GitLab", () => {
  interface Job {
    readonly script: readonly string[];
    readonly variables: Readonly<Record<string, string>>;
    readonly artifacts: { reports: Record<string, string>; paths: string[] };
  }
  const { "api-security": job } = load(read("docs/ci/gitlab.yml")) as { "api-security": Job };

  /** The script as the runner's shell runs it, with the command of this clone. */
  async function runJob(variables: Record<string, string>, trusting: string = "--allow-private --ca ca.pem") {
    const script = job.script[0]!.replace("npx --yes @OWNER/glovebox", `"$NODE" "$BUNDLE"`);
    const own = { NODE: process.execPath, BUNDLE: join(ROOT, "dist/glovebox.mjs") };
    const env = {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      ...own,
      ...job.variables,
      ...variables,
    };
    const child = spawn("sh", ["-c", `${script} ${trusting}`], { cwd: workspace, env });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
    const [code] = await once(child, "close");
    return { code, printed };
  }

  test("writes the reports that it hands over", async () => {
    const reports = [...Object.values(job.artifacts.reports), ...job.artifacts.paths];
    expect(await runJob({ TARGET: demo.url })).toMatchObject({ code: 1 });
    for (const report of reports) expect(existsSync(join(workspace, report)), report).toBe(true);
    const entries = JSON.parse(inWorkspace(job.artifacts.reports["codequality"]!));
    expect(entries[0]).toMatchObject({
      ...{ fingerprint: expect.any(String), severity: "blocker", check_name: expect.any(String) },
      location: { path: expect.any(String), lines: { begin: expect.any(Number) } },
    });
    expect(XMLValidator.validate(inWorkspace(job.artifacts.reports["junit"]!))).toBe(true);
  }, 120_000);

  test("scans as identities of the project, and calls only what it may", async () => {
    await using api = await startLocalApi({ tokens: [TOKEN] });
    writeFileSync(
      join(workspace, "identities.yaml"),
      'identities: [{name: ci, headers: {Authorization: "Bearer env:CI_TOKEN"}}]',
    );
    const document =
      "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths:\n  /orders: {get: {}}\n  /customers: {get: {}}\n";
    writeFileSync(join(workspace, "openapi.yaml"), document);
    const { printed } = await runJob(
      {
        ...{ TARGET: `http://localhost:${api.port}`, CI_TOKEN: TOKEN },
        ...{ IDENTITY_FILE: "identities.yaml", INCLUDE: "/orders/**", EXCLUDE: "DELETE" },
      },
      "",
    );
    expect(printed).toContain(
      "Only operations that match /orders/** were called, and none that match DELETE.",
    );
    expect(printed).not.toContain(TOKEN);
    expect(api.requests).toContain("GET /orders 200");
    expect(api.requests.filter((request) => /customers|^DELETE/.test(request))).toEqual([]);
  }, 120_000);
});
