import { existsSync } from "node:fs";
import { join } from "node:path";
import { scanSchema } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { GloveboxCommand, temporaryFolder } from "./command.ts";
import { runLastLine, serve, type Service } from "./service.ts";

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
let service: Service;

beforeAll(async () => {
  service = await serve(dataDir);
});
afterAll(async () => {
  await service.stop();
  folder[Symbol.dispose]();
});

const portOf = ({ address }: Service): string => new URL(address).port;
const serveWith = (env: NodeJS.ProcessEnv) =>
  new GloveboxCommand(["serve"], { GLOVEBOX_DEMO: "off", ...env }).ended;

describe("glovebox serve", () => {
  test("the first start prints a key, and a command as its last line that returns a completed scan", async () => {
    expect(service.printed).toMatch(/^API key, shown only now and kept in .*first-key: gbx_\w{51}$/m);
    const scan = scanSchema.parse(JSON.parse(await runLastLine(service.printed)));
    expect(scan.status).toBe("completed");
    expect(scan.findings.length).toBeGreaterThan(0);
  });

  test("a key of `keys create` is accepted by the running service", async () => {
    const args = ["keys", "create", "--account", "payments", "--plan", "free", "--scopes", "scans:read"];
    const { code, stdout } = await new GloveboxCommand(args, { GLOVEBOX_DATA_DIR: dataDir }).ended;
    expect(code).toBe(0);
    const headers = { authorization: `Bearer ${stdout.trim()}` };
    const scans = await fetch(`${service.address}/v1/scans`, { headers });
    expect(await scans.json()).toMatchObject({ scans: [], total: 0 });
    const url = JSON.stringify({ url: "https://api.example.com/" });
    const post = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: url };
    expect((await fetch(`${service.address}/v1/scan`, post)).status).toBe(403);
  });

  test("a key that is revoked with `keys revoke` is rejected by the running service", async () => {
    const keys = (...args: string[]) =>
      new GloveboxCommand(["keys", ...args], { GLOVEBOX_DATA_DIR: dataDir }).ended;
    const { stdout: key } = await keys("create", "--account", "short", "--plan", "free", "--name", "ci");
    const ask = () =>
      fetch(`${service.address}/v1/scans`, { headers: { authorization: `Bearer ${key.trim()}` } });
    expect((await ask()).status).toBe(200);
    const { stdout: listed } = await keys("list", "--account", "short");
    const [, id] = /^(\S+)  ci  +all /m.exec(listed)!;
    expect(await keys("revoke", id!)).toEqual({ code: 0, stdout: `${id} is revoked.\n`, stderr: "" });
    await vi.waitFor(async () => expect((await ask()).status).toBe(401), { timeout: 10_000 });
    expect((await keys("list", "--account", "short")).stdout).toMatch(/^\S+  ci .* \d{4}-\d\d-\d\dT\S+Z$/m);
  });

  test("a private address other than the demo target is rejected", async () => {
    const body = JSON.stringify({ url: `https://127.0.0.1:${portOf(service)}/` });
    const response = await service.call("/v1/scan", { method: "POST", body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "invalid_url" } });
  });

  test.each<[string, () => NodeJS.ProcessEnv, string]>([
    [
      "a data directory in use",
      () => ({ PORT: "0", GLOVEBOX_DATA_DIR: dataDir }),
      `glovebox: ${dataDir} is in use by another running glovebox.\n`,
    ],
    [
      "an invalid value",
      () => ({ PORT: "eighty", GLOVEBOX_DATA_DIR: join(folder.path, "x") }),
      "glovebox: PORT: must be a whole number from 0 to 65535\n",
    ],
    [
      "an invalid proxy",
      () => ({ GLOVEBOX_TRUST_PROXY: "nginx", GLOVEBOX_DATA_DIR: join(folder.path, "x") }),
      "glovebox: GLOVEBOX_TRUST_PROXY: must be a number of proxies from 0 to 10, or a comma-separated list of their addresses or CIDR ranges\n",
    ],
    [
      "an unreachable database",
      () => ({
        PORT: "0",
        GLOVEBOX_DATA_DIR: join(folder.path, "y"),
        DATABASE_URL: "postgres://user:secret@127.0.0.1:1/x",
      }),
      "glovebox: DATABASE_URL: the database cannot be reached.\n",
    ],
  ])("%s exits with 2 and one line", async (_problem, env, line) => {
    expect(await serveWith(env())).toEqual({ code: 2, stdout: "", stderr: line });
  });

  test("behind a trusted proxy, each client address has its own rate limit", async () => {
    const env = { GLOVEBOX_DEMO: "off", GLOVEBOX_TRUST_PROXY: "127.0.0.0/8" };
    const behind = await serve(join(folder.path, "behind"), env);
    const from = async (address: string) =>
      (await fetch(`${behind.address}/v1/scans`, { headers: { "x-forwarded-for": address } })).status;
    await vi.waitUntil(async () => (await from("192.0.2.1")) === 429, { timeout: 20_000, interval: 1 });
    expect(await from("192.0.2.2")).toBe(401);
    await behind.stop();
  });

  test("a port in use exits with 2 and one line, and stops PostgreSQL", async () => {
    const other = join(folder.path, "other");
    const env = { PORT: portOf(service), GLOVEBOX_DATA_DIR: other, GLOVEBOX_LOG_LEVEL: "warn" };
    const { code, stdout, stderr } = await serveWith(env);
    const line = `glovebox: PORT: 127.0.0.1:${portOf(service)} is in use by another program.\n`;
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: line });
    expect(existsSync(join(other, "postgres", "postmaster.pid"))).toBe(false);
  });

  test("a restart keeps scans and key, and its last line returns a completed scan", async () => {
    const { code } = await service.stop();
    expect(code).toBe(0);
    expect(existsSync(join(dataDir, "running.json"))).toBe(false);

    service = await serve(dataDir);
    expect(service.printed).not.toContain("gbx_");
    expect(await (await service.call("/v1/scans")).json()).toMatchObject({ total: 1 });
    expect(JSON.parse(await runLastLine(service.printed))).toMatchObject({ status: "completed" });
  });
});
