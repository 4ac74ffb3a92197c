import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";
import { beforeAll, expect, test } from "vitest";
import { containersOf, podsOf, type Manifest } from "./helm.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

let archive: string;
let version: string;
beforeAll(() => {
  archive = run(
    process.execPath,
    "scripts/release.mjs",
    "chart",
    "registry.example.com/team",
    "team/glovebox",
  ).trim();
  version = /glovebox-(.*)\.tgz$/.exec(archive)![1]!;
});

test("the chart of a release renders images with the registry and version of the release by default", () => {
  const rendered = run("helm", "template", "glovebox", archive, "--set", "evaluation=true");
  const manifests = (loadAll(rendered) as (Manifest | null)[]).filter((manifest) => manifest !== null);
  const images = podsOf(manifests).flatMap(({ spec }) =>
    containersOf(spec).map(({ image }) => image as string),
  );
  const own = images.filter((image) => image.includes("/glovebox/"));
  expect(own.length).toBeGreaterThan(3);
  for (const image of own)
    expect(image).toMatch(new RegExp(`^registry\\.example\\.com/team/glovebox/[\\w-]+:${version}$`));
  expect(rendered).toContain(`registry.example.com/team/glovebox/scanner-job:${version}`);
});

test("the chart of a release passes helm lint without warnings and contains its README", () => {
  const report = run("helm", "lint", "--strict", archive, "--set", "evaluation=true");
  expect(report).not.toMatch(/\[(INFO|WARNING|ERROR)\]/);
  expect(run("helm", "show", "readme", archive)).toContain("| `image.registry` |");
});
