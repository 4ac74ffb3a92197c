import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { exists, read } from "./repository.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly "timeout-minutes"?: number;
}
interface Workflow {
  readonly on: object;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const NAMES = ["ci", "kubernetes", "release"];
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

describe.each(NAMES)("the workflow %s", (name) => {
  const text = read(`.github/workflows/${name}.yml`);
  const workflow = load(text) as Workflow;
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps ?? []);

  test("pins actions to commits", () => {
    const used = [...text.matchAll(/uses: (?!\.\/)(.*)/g)].map(([, action]) => action!);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("has read permissions by default, and jobs have write permissions only for what they publish", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const writes = jobs.flatMap(([job, { permissions = {} }]) =>
      Object.entries(permissions).flatMap(([what, right]) => (right === "write" ? [`${job}: ${what}`] : [])),
    );
    const published = [
      "images: packages",
      "chart: packages",
      "chart: id-token",
      "npm: id-token",
      "action: contents",
      "notes: contents",
    ];
    expect(writes).toEqual(name === "release" ? published : []);
  });

  test("uses no expressions in scripts and persists no credentials in the checkout", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
    for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@")))
      expect(step.with).toMatchObject({ "persist-credentials": false });
  });

  test("has a timeout for each job", () => {
    const own = jobs.filter(([, { steps: some }]) => some);
    expect(own.filter(([, job]) => job["timeout-minutes"] === undefined)).toEqual([]);
  });

  test("runs existing scripts only", () => {
    const commands = steps.map(({ run = "" }) => run).join("\n");
    const named = [...commands.matchAll(/\bnpm run ([\w:]+)/g)].map(([, script]) => script!);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    const files = commands.match(/(?:\.ci|k8s\/kind|scripts)\/[\w.-]+/g) ?? [];
    expect([...named, ...files].length).toBeGreaterThan(0);
    expect(files.filter((file) => !exists(file))).toEqual([]);
  });
});
