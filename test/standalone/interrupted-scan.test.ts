import { readFileSync } from "node:fs";
import { join } from "node:path";
import { scanSchema } from "@glovebox/contract";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "./command.ts";
import { startBlockingTarget, type BlockingTarget } from "./blocking-target.ts";
import { serve, type Service } from "./service.ts";

const environmentFor = ({ allowed }: BlockingTarget) => ({
  GLOVEBOX_EGRESS_ALLOW: allowed,
  GLOVEBOX_DEMO: "off",
});

async function submit({ call }: Service, { url }: BlockingTarget, prefer: string): Promise<Response> {
  return call("/v1/scan", { method: "POST", body: JSON.stringify({ url }), headers: { prefer } });
}

async function expectCompletedAfterRestart(
  dataDir: string,
  target: BlockingTarget,
  id: string,
): Promise<void> {
  const service = await serve(dataDir, environmentFor(target));
  const scan = await service.call(`/v1/scan/${id}`, { headers: { prefer: "wait=50" } });
  expect(await scan.json()).toMatchObject({ id, status: "completed" });
  await service.stop();
}

test("a scan that is interrupted by SIGKILL of the service completes after a restart", async () => {
  using folder = temporaryFolder();
  await using target = await startBlockingTarget();
  const dataDir = join(folder.path, "data");
  const killed = await serve(dataDir, environmentFor(target));
  const { id } = scanSchema.parse(await (await submit(killed, target, "respond-async")).json());
  await target.reached();
  await killed.command.kill("SIGKILL");
  target.release();
  await expectCompletedAfterRestart(dataDir, target, id);
}, 120_000);

test("on SIGTERM the service responds to held requests and exits, and its scan completes after a restart", async () => {
  using folder = temporaryFolder();
  await using target = await startBlockingTarget();
  const dataDir = join(folder.path, "data");
  const stopped = await serve(dataDir, environmentFor(target));
  const held = submit(stopped, target, "wait=60");
  await target.reached();
  const { code } = await stopped.stop();
  expect(code).toBe(0);
  const { id, status } = scanSchema.parse(await (await held).json());
  expect(status).toBe("processing");
  target.release();
  await expectCompletedAfterRestart(dataDir, target, id);
}, 120_000);

test("a scan is recorded after a crash and restart of the database", async () => {
  using folder = temporaryFolder();
  await using target = await startBlockingTarget();
  const dataDir = join(folder.path, "data");
  const service = await serve(dataDir, environmentFor(target));
  const { id } = scanSchema.parse(await (await submit(service, target, "respond-async")).json());
  await target.reached();
  const pidFile = readFileSync(join(dataDir, "postgres", "data", "postmaster.pid"), "utf8");
  process.kill(Number(pidFile.split("\n")[0]), "SIGKILL");
  target.release();

  await vi.waitFor(
    async () => {
      const response = await service.call(`/v1/scan/${id}`);
      expect(await response.json()).toMatchObject({ id, status: "completed" });
    },
    { timeout: 90_000, interval: 1_500 }, // fewer than the 60 requests a minute of the plan
  );
  await service.stop();
}, 120_000);
