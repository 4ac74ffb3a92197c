import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, openStore } from "@glovebox/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runningPostmaster } from "./predecessor.ts";
import { startPostgres } from "./start.ts";

const asRoot = process.getuid?.() === 0;
let dataDir: string;
let pgdata: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "glovebox-postgres-"));
  chmodSync(dataDir, 0o711);
  pgdata = join(dataDir, "postgres", "data");
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test("a first start makes a database that only its password opens, on 127.0.0.1", async () => {
  await using postgres = await started();
  const url = new URL(postgres.url);
  expect(url.hostname).toBe("127.0.0.1");
  expect(statSync(join(dataDir, "postgres", "password")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(pgdata, "postmaster.opts"), "utf8")).not.toContain(url.password);

  url.password = "wrong";
  const intruder = await openStore({ url: url.href });
  await expect(intruder.accounts.find("nobody")).rejects.toMatchObject({
    cause: { message: expect.stringContaining("password authentication failed") },
  });
  await intruder.close();
});

test("a restart keeps the rows and the address", async () => {
  const first = await startPostgres({ dataDir, fsync: false });
  await writeAccount(first.url);
  await first.stop();
  expect(runningPostmaster(pgdata)).toBeUndefined();

  await using second = await started();
  expect(second.url).toBe(first.url);
  expect(await readAccount(second.url)).toMatchObject({ name: "kept" });
});

test("a PostgreSQL that is killed comes back under the same address with its rows", async () => {
  await using postgres = await started();
  await writeAccount(postgres.url);
  const killed = runningPostmaster(pgdata)!;
  process.kill(killed, "SIGKILL");

  await expect.poll(() => readAccount(postgres.url), POLL).toMatchObject({ name: "kept" });
  expect(runningPostmaster(pgdata)).not.toBe(killed);
});

test("a PostgreSQL whose owner was killed is replaced, and keeps its rows", async () => {
  const owner = startInOtherProcess();
  const url = await owner.url;
  await writeAccount(url);
  const orphan = runningPostmaster(pgdata)!;
  await owner.kill();
  expect(runningPostmaster(pgdata)).toBe(orphan);

  await using postgres = await started();
  expect(runningPostmaster(pgdata)).not.toBe(orphan);
  expect(await readAccount(postgres.url)).toMatchObject({ name: "kept" });
});

test("an owner that exits without having stopped PostgreSQL takes it along", async () => {
  const owner = startInOtherProcess();
  await writeAccount(await owner.url);
  await owner.kill("SIGTERM");
  await expect.poll(() => runningPostmaster(pgdata), POLL).toBeUndefined();
});

test("after both the owner and PostgreSQL were killed, the next start recovers the rows", async () => {
  const owner = startInOtherProcess();
  await writeAccount(await owner.url);
  const postmaster = runningPostmaster(pgdata)!;
  await owner.kill();
  process.kill(postmaster, "SIGKILL");
  await expect.poll(() => runningPostmaster(pgdata), POLL).toBeUndefined();

  await using postgres = await started();
  expect(await readAccount(postgres.url)).toMatchObject({ name: "kept" });
});

test("a second process on the same data directory is refused in one line, and the first goes on", async () => {
  await using first = await started();
  await expect(startPostgres({ dataDir })).rejects.toThrow(
    new RegExp(`^The data directory .* is in use by process ${process.pid}; stop it first\\.$`),
  );
  await writeAccount(first.url);
});

test("a postmaster.pid whose process number was given to another is stale, and that process lives on", async () => {
  await (await startPostgres({ dataDir, fsync: false })).stop();
  writeFileSync(join(pgdata, "postmaster.pid"), `${process.pid}\n${pgdata}\n`);
  await using _postgres = await started();
  expect(runningPostmaster(pgdata)).not.toBe(process.pid);
});

test.runIf(asRoot)("root runs PostgreSQL as another user, who owns the files", async () => {
  await using _postgres = await started();
  expect(statSync(pgdata)).toMatchObject({ uid: 65534, gid: 65534 });
  const status = readFileSync(`/proc/${runningPostmaster(pgdata)}/status`, "utf8");
  expect(status).toMatch(/^Uid:\s+65534\s+65534/m);
});

test.runIf(asRoot)(
  "root's closed data directory gets its database elsewhere, and finds it again",
  async () => {
    chmodSync(dataDir, 0o700);
    const first = await startPostgres({ dataDir, fsync: false });
    await writeAccount(first.url);
    await first.stop();
    {
      await using second = await started();
      expect(await readAccount(second.url)).toMatchObject({ name: "kept" });
    }
    rmSync(readlinkSync(join(dataDir, "postgres")), { recursive: true });
  },
);

if (!asRoot)
  test("without root, PostgreSQL runs as ourselves (that root drops its privileges is tested as root only)", async () => {
    await using _postgres = await started();
    expect(statSync(pgdata).uid).toBe(process.getuid?.());
  });

const POLL = { timeout: 20_000, interval: 100 };

async function started() {
  const postgres = await startPostgres({ dataDir, fsync: false });
  return { url: postgres.url, [Symbol.asyncDispose]: () => postgres.stop() };
}

async function writeAccount(url: string): Promise<void> {
  await migrate(url);
  const store = await openStore({ url });
  await store.accounts.declare({ name: "kept", plan: "free" });
  await store.close();
}

async function readAccount(url: string): Promise<unknown> {
  const store = await openStore({ url });
  try {
    return await store.accounts.find("kept");
  } finally {
    await store.close();
  }
}

/** Another Node process that owns the database, and can be killed. */
function startInOtherProcess(): { url: Promise<string>; kill(signal?: "SIGTERM"): Promise<unknown> } {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(new URL("start.ts", import.meta.url).href)});
    console.log((await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, fsync: true })).url);
    process.on("SIGTERM", () => process.exit(1));
    setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ["--conditions=source", "--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const url = once(child.stdout, "data").then(([chunk]) => String(chunk).trim());
  const kill = (signal: NodeJS.Signals = "SIGKILL") => {
    child.kill(signal);
    return once(child, "exit");
  };
  return { url, kill };
}
