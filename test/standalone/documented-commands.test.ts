import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocksOf } from "../docs/markdown.ts";
import { files, read } from "../docs/repository.ts";
import { GloveboxCommand, glovebox, temporaryFolder } from "./command.ts";
import { startLocalApi, type LocalApi } from "./local-api.ts";
import { serve, type Service } from "./service.ts";

/** The commands in the code blocks `sh run` of a page. */
const commandsOf = (page: string): string[] =>
  blocksOf(read(page))
    .filter(({ language, note }) => language === "sh" && note === "run")
    .flatMap(({ text }) => text.trim().split("\n"));
const PAGES = files("README.md", "cli/README.md", "docs/*.md").filter((page) => commandsOf(page).length > 0);

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
let service: Service;
let local: LocalApi;
let demo: { url: string; ca: string };

beforeAll(async () => {
  service = await serve(dataDir); // what `npm start` runs, on free ports
  local = await startLocalApi();
  const [, url] = /"url":"(https:\/\/127\.0\.0\.1:\d+)/.exec(service.printed) ?? [];
  demo = { url: url!, ca: join(dataDir, "demo", "ca.pem") };
  writeFileSync(
    join(folder.path, "openapi.yaml"),
    "openapi: 3.1.0\ninfo: {title: x, version: '1'}\npaths: {/v2/patients: {get: {responses: {}}}}\n",
  );
  writeFileSync(join(folder.path, "suppressions.yaml"), "suppressions: []\n");
});
afterAll(async () => {
  await local?.[Symbol.asyncDispose]();
  await service?.stop();
  folder[Symbol.dispose]();
});

/** Runs a documented command with the service and the demo target of this test instead of its hosts. */
function run(command: string, environment: NodeJS.ProcessEnv = {}, api: LocalApi = local) {
  const words = wordsOf(command.replace(/^npx glovebox /, ""));
  const isLocal = words.some((word) => word.startsWith("http:"));
  const connects = (words[0] === "scan" && !isLocal) || words[0] === "verify";
  const args = words.map((word) => {
    if (/^https:/.test(word)) return word.replace(/^https:\/\/[^/]+/, demo.url);
    if (word.startsWith("demo/")) return join(ROOT, word);
    if (/^http:/.test(word)) return `http://localhost:${api.port}`;
    return /^(openapi\.yaml|glovebox\.sarif|glovebox\.html|report\.json|last-week\.json|suppressions\.yaml)$/.test(
      word,
    )
      ? join(folder.path, word)
      : word;
  });
  const trusting = connects ? ["--allow-private", "--ca", demo.ca] : [];
  const env = { GLOVEBOX_DATA_DIR: dataDir, ...environment };
  return new GloveboxCommand([...args, ...trusting], env, folder.path).ended;
}

/** The words of a shell's command line, without the quotes around them. */
const wordsOf = (command: string): string[] =>
  (command.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ""));

test("the blocks `sh run` contain only `npm start` and `npx glovebox`", () => {
  expect(PAGES).toEqual([
    "README.md",
    "cli/README.md",
    "docs/accounts.md",
    "docs/active-mode.md",
    "docs/cli.md",
    "docs/identities.md",
  ]);
  const others = PAGES.flatMap(commandsOf).filter((command) => !/^(npm start$|npx glovebox )/.test(command));
  expect(others).toEqual([]);
});

test("README.md: `npm start` prints an address and a first API key", () => {
  expect(commandsOf("README.md")).toContain("npm start");
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(scripts["start"]).toBe("exec node cli/bin/glovebox.mjs serve");
  expect(service.printed).toMatch(/ready at http:.*[\s\S]*API key/);
});

test("docs/active-mode.md: the command scans the shop with users of its own, and says what it wrote", async () => {
  const [command] = commandsOf("docs/active-mode.md");
  expect(await run(command!)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^What the scan wrote\n.*\bthis scan sent \d+ writes/ms),
  });
});

describe("docs/cli.md", () => {
  const [localScan, scan, plan, limited, pipeline, again, exported, verify, diff] = commandsOf("docs/cli.md");

  test("the first command scans a server on this machine", async () => {
    expect(await run(localScan!)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^http:\/\/localhost:.*\nScore \d+ of 100/),
    });
  });

  test("the scan command prints a table", async () => {
    expect(await run(scan!)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Score \d+ of 100/m) });
  });

  test("plans that scan, and says which operations are never called as they are", async () => {
    expect(await run(plan!)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Called only so that they cannot succeed"),
    });
  });

  test("limits a scan to what --include and --exclude say", async () => {
    expect(await run(limited!)).toMatchObject({
      code: 2, // the document of this test has no orders
      stderr: expect.stringContaining(
        "`include` and `exclude` leave none of the operations of the OpenAPI document (1)",
      ),
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
  const others = commandsOf("README.md").filter((command) => command !== "npm start");
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

describe("docs/identities.md", () => {
  const page = read("docs/identities.md");
  const [identities, signIn] = blocksOf(page).filter(({ language }) => language === "yaml");
  const secrets = {
    TOKEN: "token-of-the-variable-1f0c",
    ALICE_TOKEN: "token-of-alice-8d2e",
    ADMIN_KEY: "key-of-the-administrator-77b1",
    ALICE_PASSWORD: "password-of-alice-c40a",
  };
  const ofBob = "session-of-bob-3e9f";
  const all = [...Object.values(secrets), ofBob];
  const login = { email: "alice@example.com", password: secrets.ALICE_PASSWORD };
  const [byHeader, byFile, bySignIn, ofShop] = commandsOf("docs/identities.md");

  beforeAll(() => {
    writeFileSync(join(folder.path, "identities.yaml"), identities!.text);
    writeFileSync(join(folder.path, "sign-in.yaml"), signIn!.text);
    writeFileSync(join(folder.path, "bob-session.txt"), `${ofBob}\n`);
  });

  test.each([
    ["with a header", byHeader!, [secrets.TOKEN]],
    ["with a file", byFile!, [secrets.ALICE_TOKEN, ofBob, secrets.ADMIN_KEY]],
    ["with a sign-in", bySignIn!, ["token-that-the-sign-in-returns-5a61"]],
  ])("%s, scans what is behind the sign-in, and shows no secret", async (_, command, tokens) => {
    await using api = await startLocalApi({ tokens, login });
    const file = join(folder.path, "signed-in.json");
    const reported = `${command} --format json --output ${file} --format table`;
    const { code, stdout, stderr } = await run(reported, secrets, api);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(api.requests).toContain("GET /orders/1 200");
    const report = readFileSync(file, "utf8");
    for (const secret of [...all, ...tokens]) expect(stdout + report).not.toContain(secret);
  });

  test("scans the shop of the demo as its users", async () => {
    const { code, stdout } = await run(ofShop!);
    expect(code).toBe(0);
    expect(stdout).toMatch(/GET \/shop\/v2\/orders\/\{orderId\}/);
    for (const [, password = ""] of read("demo/identities.yaml").matchAll(/password: (\S+) /g))
      expect(stdout).not.toContain(password);
  }, 180_000);

  test("shows the error of a variable that is missing", async () => {
    const { TOKEN: _, ALICE_TOKEN: __, ...others } = secrets;
    const message = blocksOf(page).find(({ language }) => language === "text")!.text;
    expect(await run(byFile!, others)).toEqual({ code: 2, stdout: "", stderr: message });
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
