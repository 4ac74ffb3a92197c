import { readFileSync } from "node:fs";

const README = new URL("../../../README.md", import.meta.url);

/** The README's commands for Kubernetes, block by block; a command may be several lines long. */
export function kubernetesCommands(): string[][] {
  const blocks = [...readFileSync(README, "utf8").matchAll(/^```sh kubernetes\n([\s\S]*?)^```/gm)];
  return blocks.map(([, block]) =>
    block!
      .trimEnd()
      .replaceAll(/\\\n\s*/g, "")
      .split("\n"),
  );
}
