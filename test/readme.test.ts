import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

const readme = read("README.md");
const guides = ["README.md", "CONTRIBUTING.md", "docs/architecture.md"];
const commands = [...readme.matchAll(/^```sh( run)?\n([\s\S]*?)^```/gm)].flatMap(([, , block]) =>
  block!.split("\n").filter((line) => line !== ""),
);

const helpOf = (command: string) =>
  execFileSync(process.execPath, ["cli/bin/glovebox.mjs", command, "--help"], {
    cwd: root,
    encoding: "utf8",
  });

describe("README.md", () => {
  it("shows how to start, scan, check and test", () => {
    expect(commands.map((command) => command.split(" ").slice(0, 2).join(" "))).toEqual(
      expect.arrayContaining(["npm start", "npx glovebox", "npm run", "npm test"]),
    );
  });

  it("names only npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = guides.flatMap((path) =>
      [...read(path).matchAll(/\bnpm (?:run ([a-z:]+)|(start|test))\b/g)].map(
        ([, run, short]) => run ?? short!,
      ),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it("names only commands and options that the command line has", () => {
    const used = [...readme.matchAll(/glovebox (scan|serve|keys|demo)\b([^`\n]*)/g)];
    expect(used.length).toBeGreaterThan(2);
    const help = Object.fromEntries(
      ["scan", "serve", "keys", "demo"].map((command) => [command, helpOf(command)]),
    );
    for (const [, command, rest] of used) {
      for (const [option] of rest!.matchAll(/--[a-z][a-z-]*/g)) {
        if (option !== "--help") expect(help[command!], `glovebox ${command} ${option}`).toContain(option);
      }
    }
  });

  it("names only settings that the settings page lists", () => {
    const settings = read("docs/settings.md");
    const named = [...readme.matchAll(/\b(GLOVEBOX_[A-Z_]+|DATABASE_URL|REDIS_URL)\b/g)].map(
      ([, name]) => name!,
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
  });
});
