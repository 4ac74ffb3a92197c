import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { instancesOf } from "@glovebox/domain";
import { scanSchema, type CompletedScan } from "@glovebox/contract";
import { startDemo, type Demo, type Variant } from "@glovebox/demo";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { glovebox, temporaryFolder, type CommandResult } from "./command.ts";

const folder = temporaryFolder();
const file = (name: string): string => join(folder.path, name);
const ca = file("ca.pem");
const report = file("report.json");
let demo: Demo;
let found: CompletedScan;

const start = (variant: Variant, port: number): Promise<Demo> =>
  startDemo({ variant, port, certificateDir: folder.path });
const trusting = ["--allow-private", "--ca", ca];
const scan = (...args: string[]) => glovebox("scan", demo.url, ...trusting, ...args);
const parsed = (text: string): CompletedScan => scanSchema.parse(JSON.parse(text)) as CompletedScan;

beforeAll(async () => {
  demo = await start("vulnerable", 0);
  writeFileSync(ca, demo.caPem);
  const { stdout } = await scan("--format", "json");
  writeFileSync(report, stdout);
  found = parsed(stdout);
}, 120_000);
afterAll(async () => {
  await demo.close();
  folder[Symbol.dispose]();
});

describe("a scan with a baseline and suppressions", () => {
  const suppressing = (expires: string): string => {
    const suppressions = found.findings.map(({ id }) => ({ id, reason: "Known.", expires }));
    const path = file(`until-${expires}.json`);
    writeFileSync(path, JSON.stringify({ suppressions }));
    return path;
  };

  test("a scan with a baseline and suppressions of everything that it finds meets --fail-on, and lists what is not counted", async () => {
    const { code, stdout } = await scan("--fail-on", "low", "--baseline", report);
    expect(stdout).toMatch(/^Not counted: \d+ locations/m);
    expect(stdout).toContain("in the baseline");
    expect(code).toBe(0);
  });

  test("a scan with a baseline and suppressions that holds meets --fail-on, and one that expired does not and says so", async () => {
    const held = await scan("--fail-on", "low", "--suppressions", suppressing("2999-12-31"));
    expect(held).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("suppressed until 2999-12-31: Known."),
    });
    const expired = await scan("--fail-on", "low", "--suppressions", suppressing("2020-01-31"));
    expect(expired).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("expired on 2020-01-31: it counts again"),
    });
  });

  test("a scan with a baseline and suppressions that is wrong ends with 2 and the field, before anything is sent", async () => {
    const path = file("wrong.yaml");
    writeFileSync(path, "suppressions:\n  - {id: 0e2851c5699ef5ee, reason: why}\n");
    expect(await scan("--suppressions", path)).toMatchObject({
      code: 2,
      stderr: `glovebox: --suppressions: ${path}: suppressions.0.expires: must be a date such as 2027-01-31\n`,
    });
  });
});

describe("glovebox scan --plan", () => {
  const document = {
    openapi: "3.1.0",
    info: { title: "x", version: "1" },
    paths: {
      "/orders": { get: { responses: {} }, post: { responses: {} } },
      "/admin/reset": { get: { responses: {} } },
    },
  };

  test("glovebox scan --plan of a document in a file sends nothing, and tells what is called, what only fails and what is never called", async () => {
    const spec = file("plan.json");
    writeFileSync(spec, JSON.stringify(document));
    // Nothing listens there: a request would fail.
    const args = [
      "scan",
      "https://127.0.0.1:1/",
      "--allow-private",
      "--spec",
      spec,
      "--plan",
      "--format",
      "json",
    ];
    const { code, stdout } = await glovebox(...args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      requests: 0,
      operations: [
        { method: "GET", path: "/orders", called: "as described" },
        { method: "POST", path: "/orders", called: "so that it fails" },
        { method: "GET", path: "/admin/reset", called: "never" },
      ],
    });
  });

  test("glovebox scan --plan without a document looks for one at the target", async () => {
    const { code, stdout } = await scan("--plan");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}GET {5}\/v2\/patients$/m);
  });
});

describe("glovebox verify", () => {
  test("confirms what is still there, and ends with 1", async () => {
    const { code, stdout } = await glovebox("verify", report, ...trusting, "--format", "json");
    const { results } = JSON.parse(stdout) as { results: { is: string; severity: string }[] };
    expect(results).toHaveLength(found.findings.flatMap(instancesOf).length);
    const grave = results.filter(({ severity }) => ["critical", "high"].includes(severity));
    expect(new Set(grave.map(({ is }) => is))).toEqual(new Set(["confirmed"]));
    expect(code).toBe(1);
  });

  test.each([
    ["something else", "{}", /is not a report of Glovebox/],
    ["no JSON", "{", /is not JSON/],
    ["of a failed scan", '{"status":"failed"}', /is of a scan that did not complete/],
  ])("glovebox verify of a file that is %s ends with 2 and one sentence", async (_, text, message) => {
    const path = file("unusable.json");
    writeFileSync(path, text);
    const { code, stdout, stderr } = await glovebox("verify", path);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

describe("after a repair", () => {
  const later = file("later.json");
  let away: CommandResult;
  beforeAll(async () => {
    const port = Number(new URL(demo.url).port);
    await demo.close();
    away = await glovebox("verify", report, ...trusting);
    demo = await start("hardened", port);
    writeFileSync(later, (await scan("--format", "json")).stdout);
  }, 120_000);

  test("verify ends with 2 and the reason while the target is away", () => {
    expect(away).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("refused the connection"),
    });
  });

  test("verify finds that what was fixed no longer exists, and confirms none of it", async () => {
    const { stdout } = await glovebox("verify", report, ...trusting, "--format", "json");
    const { results } = JSON.parse(stdout) as { results: { is: string; severity: string }[] };
    const grave = results.filter(({ severity }) => ["critical", "high"].includes(severity));
    expect(grave.filter(({ is }) => is === "confirmed" || is === "changed")).toEqual([]);
    expect(grave.filter(({ is }) => is === "gone").length).toBeGreaterThan(grave.length / 3);
  });

  test("diff tells fixed from not retested, finds nothing new that is grave, and sends nothing", async () => {
    const { stdout } = await glovebox("diff", report, later);
    expect(stdout).toMatch(/^Fixed: \d+ locations$/m);
    const json = JSON.parse((await glovebox("diff", report, later, "--format", "json")).stdout) as {
      differences: { is: string; severity: string; title: string }[];
    };
    const grave = json.differences.filter(({ severity }) => ["critical", "high"].includes(severity));
    expect(grave.filter(({ is }) => !["fixed", "not retested"].includes(is))).toEqual([]);
  });

  test("diff of a report with itself ends with 0, and with what was found before the other way round with 1", async () => {
    expect(await glovebox("diff", report, report)).toMatchObject({ code: 0 });
    expect(await glovebox("diff", later, report)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^New: /m),
    });
  });
});
