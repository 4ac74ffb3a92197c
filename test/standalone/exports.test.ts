import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completedScanSchema } from "@glovebox/contract";
import { startDemo, type Demo } from "@glovebox/demo";
import { XMLValidator } from "fast-xml-parser";
import type { Log } from "sarif";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { glovebox, temporaryFolder, type CommandResult } from "./command.ts";

const FORMATS = ["json", "sarif", "junit", "html", "markdown", "csv", "codequality"];
const folder = temporaryFolder();
const file = (name: string): string => join(folder.path, name);
const written = (name: string): string => readFileSync(file(name), "utf8");
let demo: Demo;
let result: CommandResult;

beforeAll(async () => {
  demo = await startDemo({ variant: "vulnerable", port: 0, certificateDir: folder.path });
  writeFileSync(file("ca.pem"), demo.caPem);
  const reports = FORMATS.flatMap((format) => ["--format", format, "--output", file(format)]);
  result = await glovebox(
    ...["scan", demo.url, "--spec", `${demo.url}/openapi.json`, "--allow-private", "--ca", file("ca.pem")],
    ...[...reports, "--format", "table"],
  );
}, 120_000);
afterAll(async () => {
  await demo.close();
  folder[Symbol.dispose]();
});

describe("one scan in every format", () => {
  test("ends with 0, and prints the last format, which has no file", () => {
    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Score \d+ of 100/m) });
  });

  test("one scan in every format has the same findings in JSON, SARIF and CSV", () => {
    const { findings } = completedScanSchema.parse(JSON.parse(written("json")));
    const ids = findings.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(10);
    const { runs } = JSON.parse(written("sarif")) as Log;
    expect(runs[0]!.results!.map((each) => each.partialFingerprints!["gloveboxFinding/v1"])).toEqual(ids);
    const rows = written("csv").trim().split("\r\n").slice(1);
    expect([...new Set(rows.map((row) => row.split(",")[0]))]).toEqual(ids);
  });

  test("one scan in every format is valid XML in JUnit", () => {
    expect(XMLValidator.validate(written("junit"))).toBe(true);
  });

  test("one scan in every format is one page in HTML, and loads nothing", () => {
    expect(written("html")).toContain(`<h1>${demo.url}/</h1>`);
    expect(written("html")).not.toMatch(/<(script|link|img|iframe)\b/);
  });

  test("names every category in Markdown", () => {
    expect(written("markdown").match(/^\| .* \| (\d+|–) \| .*$/gm)).toHaveLength(12);
  });

  test("one scan in every format has unique fingerprints in the code quality report", () => {
    const entries = JSON.parse(written("codequality")) as { fingerprint: string }[];
    expect(new Set(entries.map(({ fingerprint }) => fingerprint)).size).toBe(entries.length);
  });
});
