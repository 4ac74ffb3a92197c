import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("release.mjs", import.meta.url));
const DIGEST = `sha256:${"a".repeat(64)}`;
const { version } = JSON.parse(readFileSync(new URL("../cli/package.json", import.meta.url), "utf8"));

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "glovebox-release-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the script where docker, helm and cosign write their arguments down, and print a digest, or what is given. */
function run(args, printed = `Digest: ${DIGEST}`) {
  const log = join(folder, "log");
  for (const program of ["docker", "helm", "cosign"]) {
    writeFileSync(join(folder, program), `#!/bin/sh\necho "\${0##*/} $*" >>"${log}"\necho '${printed}'\n`);
    chmodSync(join(folder, program), 0o755);
  }
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    encoding: "utf8",
    env: { PATH: [folder, process.env.PATH].join(delimiter) },
  });
  const commands = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  return { status, stderr, commands };
}

describe("publish-images", () => {
  test("joins the images of each architecture under the version, and signs what came of it", () => {
    const { status, commands } = run(["publish-images", "ghcr.io/team", "amd64", "arm64"]);
    expect(status).toBe(0);
    const tag = `ghcr.io/team/glovebox/api:${version}`;
    expect(commands.slice(0, 3)).toEqual([
      `docker buildx imagetools create --tag ${tag} ${tag}-amd64 ${tag}-arm64`,
      `docker buildx imagetools inspect ${tag} --format {{.Manifest.Digest}}`,
      `cosign sign --yes ghcr.io/team/glovebox/api@${DIGEST}`,
    ]);
    const signed = commands.filter((command) => command.startsWith("cosign"));
    expect(signed.map((command) => /glovebox\/([\w-]+)@/.exec(command)[1])).toEqual([
      "api",
      "controller",
      "scanner-job",
    ]);
  });

  test("fails where the registry gives no digest, and signs nothing", () => {
    const { status, stderr, commands } = run(["publish-images", "ghcr.io/team", "amd64"], "pushed");
    expect(status).toBe(1);
    expect(stderr).toContain("No digest of ghcr.io/team/glovebox/api in: pushed");
    expect(commands.filter((command) => command.startsWith("cosign"))).toEqual([]);
  });
});

test("publish-chart pushes the packaged chart and signs what was pushed", () => {
  expect(run(["publish-chart", "ghcr.io/team"]).commands).toEqual([
    `helm push dist/chart/glovebox-${version}.tgz oci://ghcr.io/team/charts`,
    `cosign sign --yes ghcr.io/team/charts/glovebox@${DIGEST}`,
  ]);
});

test("check refuses a tag that is not the version of every part, and names each that differs", () => {
  const { status, stderr } = run(["check", "v99.0.0"]);
  expect(status).toBe(1);
  for (const part of [
    "package.json",
    "cli/package.json",
    "contract/src/product.ts",
    "version of the chart",
    "appVersion of the chart",
  ])
    expect(stderr).toContain(`${part} is ${version}, not 99.0.0`);
  expect(stderr).toContain("CHANGELOG.md has no section 99.0.0");
});

test("A command that there is not is refused with the ones that there are", () => {
  const { status, stderr } = run(["publish"]);
  expect(status).toBe(1);
  expect(stderr).toContain("publish: no such command; there are version, name, check, notes, chart");
});
