import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const BUNDLE = fileURLToPath(new URL("dist/glovebox.mjs", ROOT));

// Without the launcher, which may install packages into this checkout.
const { ensureBuilt } = (await import(new URL("scripts/build.mjs", ROOT).href)) as {
  ensureBuilt: (root: URL) => Promise<void>;
};
await ensureBuilt(ROOT);

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The bundled `glovebox` command as a process with only this environment. */
export class GloveboxCommand {
  readonly ended: Promise<CommandResult>;
  readonly #child: ChildProcess;
  #stdout = "";
  #stderr = "";
  #onOutput: () => void = () => {};

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd: string = process.cwd()) {
    const inherited = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
    this.#child = spawn(process.execPath, [BUNDLE, ...args], {
      env: { ...inherited, ...env },
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout!.on("data", (chunk) => this.#take(() => (this.#stdout += chunk)));
    this.#child.stderr!.on("data", (chunk) => this.#take(() => (this.#stderr += chunk)));
    this.ended = once(this.#child, "close").then(([code]) => {
      this.#onOutput();
      return { code, stdout: this.#stdout, stderr: this.#stderr };
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** What it has written to stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  kill(signal: NodeJS.Signals): Promise<CommandResult> {
    this.#child.kill(signal);
    return this.ended;
  }

  /** Resolves with the stdout so far when it matches. Rejects if the command exits before. */
  stdoutMatching(pattern: RegExp): Promise<string> {
    return this.#matching(pattern, () => this.#stdout);
  }

  /** The same for stderr. */
  stderrMatching(pattern: RegExp): Promise<string> {
    return this.#matching(pattern, () => this.#stderr);
  }

  async #matching(pattern: RegExp, output: () => string): Promise<string> {
    while (!pattern.test(output())) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`glovebox exited early: ${this.#stderr}`);
      await new Promise<void>((resolve) => (this.#onOutput = resolve));
    }
    return output();
  }

  #take(append: () => void): void {
    append();
    this.#onOutput();
  }
}

export const glovebox = (...args: string[]): Promise<CommandResult> => new GloveboxCommand(args).ended;

/** A temporary folder that is deleted on disposal. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "glovebox-e2e-"));
  chmodSync(path, 0o711); // PostgreSQL's unprivileged user must enter it
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
