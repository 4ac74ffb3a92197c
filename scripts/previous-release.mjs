// `npm run images:previous`: the images and the chart of the release before, built from its commit
// (test/install/previous-release.json) into dist/previous/. `npm run test:install` upgrades from it. The images are
// tagged `previous`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const previous = new URL("dist/previous/", root);

function run(cwd, program, ...args) {
  const { status, error } = spawnSync(program, args, { cwd: fileURLToPath(cwd), stdio: "inherit" });
  if (error || status !== 0)
    throw new Error(`${program} ${args.join(" ")} failed${error ? `: ${error.message}` : ""}`);
}

/** That release tags its images `dev` only, as the present one does; its name has no registry up to 0.3.0. */
function tagAsPrevious() {
  const script = new URL("scripts/images.mjs", previous);
  const text = readFileSync(script, "utf8");
  const tag = /`(?:localhost\/)?glovebox\/\$\{name\}:dev`/;
  if (!tag.test(text)) throw new Error("The release before does not tag its images `dev`.");
  writeFileSync(script, text.replace(tag, "`localhost/glovebox/${name}:previous`"));
}

const { commit } = JSON.parse(readFileSync(new URL("test/install/previous-release.json", root), "utf8"));
rmSync(previous, { recursive: true, force: true });
mkdirSync(previous, { recursive: true });
run(root, "git", "archive", "--output", "dist/previous/source.tar", commit);
run(previous, "tar", "--extract", "--file", "source.tar");
tagAsPrevious();
run(previous, "npm", "ci", "--no-audit", "--no-fund");
run(previous, "npm", "run", "images");
