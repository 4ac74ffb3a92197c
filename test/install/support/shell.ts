import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { blocksOf } from "../../docs/markdown.ts";
import { read } from "../../docs/repository.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs commands in the repository as a user would, up to the first that fails; gives what they print. */
export async function shell(commands: readonly string[]): Promise<string> {
  // What is left in the background ends with the script.
  const script = ["trap 'kill $(jobs -p) 2>/dev/null || true' EXIT", ...commands].join("\n");
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (code !== 0) throw new Error(`${commands.join("\n")}\nended with ${code}:\n${said}${complaint}`);
  return said;
}

/** The README's commands for Kubernetes, block by block; a command may be several lines long. */
export const kubernetesCommands = (): string[][] =>
  blocksOf(read("README.md"))
    .filter(({ language, note }) => language === "sh" && note === "kubernetes")
    .map(({ text }) =>
      text
        .trimEnd()
        .replaceAll(/\\\n\s*/g, "")
        .split("\n"),
    );
