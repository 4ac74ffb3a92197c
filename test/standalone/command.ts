import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
const BUNDLE = fileURLToPath(new URL("dist/glovebox.mjs", ROOT));

// Not through the launcher: that one may install packages, which no test should do to the checkout that it runs in.
const { ensureBuilt } = (await import(new URL("scripts/build.mjs", ROOT).href)) as {
  ensureBuilt: (root: URL) => Promise<void>;
};
await ensureBuilt(ROOT);

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The shipped `glovebox` command as a process of its own, with no environment but what is given. */
export class GloveboxCommand {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  #stdout = "";
  #stderr = "";
  #onOutput: () => void = () => {};

  constructor(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const inherited = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
    this.#child = spawn(process.execPath, [BUNDLE, ...args], {
      env: { ...inherited, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout!.on("data", (chunk) => this.#take(() => (this.#stdout += chunk)));
    this.#child.stderr!.on("data", (chunk) => this.#take(() => (this.#stderr += chunk)));
    this.ended = once(this.#child, "close").then(([code]) => {
      this.#onOutput();
      return { code, stdout: this.#stdout, stderr: this.#stderr };
    });
  }

  kill(signal: NodeJS.Signals): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }

  /** Resolves with what stdout holds once it matches; rejects when the command ends first. */
  stdoutMatching(pattern: RegExp): Promise<string> {
    return this.#matching(pattern, () => this.#stdout);
  }

  /** The same of stderr. */
  stderrMatching(pattern: RegExp): Promise<string> {
    return this.#matching(pattern, () => this.#stderr);
  }

  async #matching(pattern: RegExp, output: () => string): Promise<string> {
    while (!pattern.test(output())) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`glovebox ended early: ${this.#stderr}`);
      await new Promise<void>((resolve) => (this.#onOutput = resolve));
    }
    return output();
  }

  #take(append: () => void): void {
    append();
    this.#onOutput();
  }
}

export const glovebox = (...args: string[]): Promise<Ended> => new GloveboxCommand(args).ended;

/** A data directory that is gone with its scope. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "glovebox-e2e-"));
  chmodSync(path, 0o711); // PostgreSQL's unprivileged user must enter it
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
