import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocksOf } from "../docs/markdown.ts";
import { files, read } from "../docs/repository.ts";
import { GloveboxCommand, glovebox, temporaryFolder } from "./command.ts";
import { serve, type Service } from "./service.ts";

/** The commands in the code blocks `sh run` of a page. */
const commandsOf = (page: string): string[] =>
  blocksOf(read(page))
    .filter(({ language, note }) => language === "sh" && note === "run")
    .flatMap(({ text }) => text.trim().split("\n"));
const PAGES = files("README.md", "cli/README.md", "docs/*.md").filter((page) => commandsOf(page).length > 0);

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
let service: Service;
let demo: { url: string; ca: string };

beforeAll(async () => {
  service = await serve(dataDir); // what `npm start` runs, on free ports
  const [, url] = /"url":"(https:\/\/127\.0\.0\.1:\d+)/.exec(service.printed) ?? [];
  demo = { url: url!, ca: join(dataDir, "demo", "ca.pem") };
  writeFileSync(
    join(folder.path, "openapi.yaml"),
    "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: {/v2/patients: {get: {responses: {}}}}\n",
  );
  writeFileSync(join(folder.path, "suppressions.yaml"), "suppressions: []\n");
});
afterAll(async () => {
  await service?.stop();
  folder[Symbol.dispose]();
});

/** Runs a documented command with the service and the demo target of this test instead of its hosts. */
function run(command: string) {
  const words = command.replace(/^npx glovebox /, "").split(" ");
  const connects = words[0] === "scan" || words[0] === "verify";
  const args = words.map((word) => {
    if (/^https:/.test(word)) return demo.url;
    return /^(openapi\.yaml|glovebox\.sarif|glovebox\.html|report\.json|last-week\.json|suppressions\.yaml)$/.test(
      word,
    )
      ? join(folder.path, word)
      : word;
  });
  const trusting = connects ? ["--allow-private", "--ca", demo.ca] : [];
  return new GloveboxCommand([...args, ...trusting], { GLOVEBOX_DATA_DIR: dataDir }).ended;
}

test("the blocks `sh run` contain only `npm start` and `npx glovebox`", () => {
  expect(PAGES).toEqual(["README.md", "cli/README.md", "docs/accounts.md", "docs/cli.md"]);
  const others = PAGES.flatMap(commandsOf).filter((command) => !/^(npm start$|npx glovebox )/.test(command));
  expect(others).toEqual([]);
});

test("README.md: `npm start` prints an address and a first API key", () => {
  const [start] = commandsOf("README.md");
  expect(start).toBe("npm start");
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(scripts["start"]).toBe("exec node cli/bin/glovebox.mjs serve");
  expect(service.printed).toMatch(/ready at http:.*[\s\S]*API key/);
});

describe("docs/cli.md", () => {
  const [scan, plan, pipeline, again, exported, verify, diff] = commandsOf("docs/cli.md");

  test("the scan command prints a table", async () => {
    expect(await run(scan!)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Score \d+ of 100/m) });
  });

  test("plans that scan, and says which operations are never called as they are", async () => {
    expect(await run(plan!)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Called only so that they cannot succeed"),
    });
  });

  test("the pipeline command writes the report into a file, and exits with 1 for a high finding", async () => {
    expect(await run(pipeline!)).toMatchObject({ code: 1, stdout: "" });
    const report = JSON.parse(readFileSync(join(folder.path, "report.json"), "utf8")) as unknown;
    expect(report).toMatchObject({ status: "completed" });
    copyFileSync(join(folder.path, "report.json"), join(folder.path, "last-week.json"));
  });

  test("does not fail on what the baseline has", async () => {
    expect(await run(again!)).toMatchObject({ code: 0 });
  });

  test("writes SARIF and HTML of one scan", async () => {
    expect(await run(exported!)).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(join(folder.path, "glovebox.sarif"), "utf8")).toContain('"version": "2.1.0"');
    expect(readFileSync(join(folder.path, "glovebox.html"), "utf8")).toMatch(/^<!doctype html>/);
  });

  test("examines again what was found, and finds it", async () => {
    expect(await run(verify!)).toMatchObject({ code: 1, stdout: expect.stringContaining("Confirmed: ") });
  });

  test("compares a report with last week's, and finds nothing new", async () => {
    expect(await run(diff!)).toMatchObject({ code: 0, stdout: expect.stringContaining("Unchanged: ") });
  });
});

test("README.md and cli/README.md contain commands of docs/cli.md only", () => {
  const [, ...others] = commandsOf("README.md");
  expect(commandsOf("docs/cli.md")).toEqual(
    expect.arrayContaining([...others, ...commandsOf("cli/README.md")]),
  );
});

describe("docs/accounts.md", () => {
  test("the commands create, list and revoke a key", async () => {
    const [create, list, revoke] = commandsOf("docs/accounts.md");
    const created = await run(create!);
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^gbx_\w{51}\n$/) });
    const listed = await run(list!);
    const [, id = ""] = /^(\S+) +ci /m.exec(listed.stdout) ?? [];
    const revoked = await run(revoke!.replace(/[\da-f-]{36}$/, id));
    expect(revoked).toMatchObject({ code: 0, stdout: `${id} is revoked.\n` });
  });
});

test("every documented command and option of `glovebox` exists", async () => {
  const commands = ["scan", "verify", "diff", "mcp", "serve", "keys", "demo"];
  const helps = await Promise.all(commands.map((command) => glovebox(command, "--help")));
  const keysOptions = await Promise.all(
    ["create", "list", "revoke"].map((command) => glovebox("keys", command, "--help")),
  );
  const keys = keysOptions.map(({ stdout }) => stdout).join("");
  const help = Object.fromEntries(commands.map((name, index) => [name, helps[index]!.stdout]));
  const used = files("README.md", "docs/*.md", "*/README.md").flatMap((page) => [
    ...read(page).matchAll(/glovebox (scan|verify|diff|mcp|serve|keys|demo)\b([^`\n]*)/g),
  ]);
  expect(used.length).toBeGreaterThan(5);
  for (const [, command, rest] of used)
    for (const [option] of rest!.matchAll(/--[a-z][a-z-]*/g))
      if (option !== "--help")
        expect(help[command!] + keys, `glovebox ${command} ${option}`).toContain(option);
});
