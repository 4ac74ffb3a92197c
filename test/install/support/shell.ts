import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { blocksOf } from "../../docs/markdown.ts";
import { read } from "../../docs/repository.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Runs commands in the root of the repository, and returns their stdout.
 * @throws Error with the output when a command fails
 */
export async function shell(commands: readonly string[]): Promise<string> {
  // Background jobs end with the script.
  const script = ["trap 'kill $(jobs -p) 2>/dev/null || true' EXIT", ...commands].join("\n");
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  if (code !== 0) throw new Error(`${commands.join("\n")}\nended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

/** The commands of the README's blocks `sh kubernetes`, each on one line, by block. */
export const kubernetesCommands = (): string[][] =>
  blocksOf(read("README.md"))
    .filter(({ language, note }) => language === "sh" && note === "kubernetes")
    .map(({ text }) =>
      text
        .trimEnd()
        .replaceAll(/\\\n\s*/g, "")
        .split("\n"),
    );
