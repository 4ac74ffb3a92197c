import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { UserError } from "../command-line.ts";
import { lockDataDir } from "./data-dir.ts";

const folder = mkdtempSync(join(tmpdir(), "data-dir-"));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In a separate process, which gives up root once it has read the module: root may write everywhere. */
function complaintOfNobody(dataDir: string): string {
  const module = new URL("./data-dir.ts", import.meta.url).href;
  const script = `
    const { lockDataDir } = await import(${JSON.stringify(module)});
    if (process.getuid() === 0) process.setuid(65534);
    await lockDataDir(${JSON.stringify(dataDir)}).catch((error) => process.stdout.write(error.message));`;
  const options = ["--conditions=source", "--input-type=module", "--eval", script];
  return execFileSync(process.execPath, options, { encoding: "utf8" });
}

describe("the lock of a data directory", () => {
  test("a second lock of one directory is refused, until the first is given up", async () => {
    const dataDir = join(folder, "new", "data");
    const unlock = await lockDataDir(dataDir);
    await expect(lockDataDir(join(folder, "new", "..", "new", "data"))).rejects.toThrow(
      new UserError(`${dataDir} is in use by another running glovebox.`),
    );
    await unlock();
    await (
      await lockDataDir(dataDir)
    )();
  });

  test("two directories are locked at the same time", async () => {
    const directories = [join(folder, "a"), join(folder, "b")];
    const locks = await Promise.all(directories.map(lockDataDir));
    for (const directory of directories)
      await expect(lockDataDir(directory)).rejects.toThrow(`${directory} is in use`);
    await Promise.all(locks.map((unlock) => unlock()));
  });

  test("a path that cannot be a directory is refused by the name of its setting", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(lockDataDir(join(file, "data"))).rejects.toThrow(/^GLOVEBOX_DATA_DIR: .* cannot be created/);
  });

  test("a directory that this user may not write is refused by the name of its setting", () => {
    const dataDir = join(folder, "read-only");
    mkdirSync(dataDir, { mode: 0o555 });
    expect(complaintOfNobody(dataDir)).toBe(`GLOVEBOX_DATA_DIR: ${dataDir} is not writable for this user.`);
  });
});
