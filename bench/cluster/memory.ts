import { setTimeout as delay } from "node:timers/promises";
import { insertScans } from "../src/database.ts";
import { spreadOf, type Figure } from "../src/figures.ts";
import { memoryOf, serveNothing } from "../src/processes.ts";
import type { ControllerProcess } from "./controller-process.ts";
import type { Stage } from "./stage.ts";

const MEMORY_MIB = 150;
const SETTLE_MS = 5_000;
/** All Scans are listed and looked at long before. */
const LISTED_MS = 20_000;

/**
 * What the controller holds against an empty Node: one that has just brought so many Scans to their end, and one that
 * has taken over where so many are that have ended.
 */
export async function memoryFigures(stage: Stage, scans: number): Promise<Figure[]> {
  const { id, name } = await stage.account("memory");
  const ids = await insertScans(stage.database.url, id, scans);
  await stage.createScans(
    ids.map((scanId) => ({ id: scanId, account: name, url: "https://api.example/v1" })),
  );
  const busy = await settled(stage, async (controller) => {
    while (controller.finished < scans) await delay(1_000);
  });
  const idle = await settled(stage, () => delay(LISTED_MS));
  await using nothing = await serveNothing();
  const empty = await memoryOf(nothing.pid);
  if (!busy || !idle || !empty) return [];
  const figure = (what: string, mib: number, goal?: Figure["goal"]): Figure => ({
    name: `Controller memory, ${what} ${scans} Scans, empty Node`,
    product: `${Math.round(mib)} MiB`,
    baseline: `${Math.round(empty.nowMiB)} MiB`,
    ratio: spreadOf([mib / empty.nowMiB]),
    goal,
  });
  return [
    figure("started among", idle.nowMiB, {
      text: `under ${MEMORY_MIB} MiB`,
      met: idle.nowMiB < MEMORY_MIB,
    }),
    figure("after work on", busy.nowMiB),
  ];
}

/** Memory of a controller some time after it has done its work. */
async function settled(stage: Stage, work: (controller: ControllerProcess) => Promise<void>) {
  await using controller = await stage.controller();
  await work(controller);
  await delay(SETTLE_MS);
  return memoryOf(controller.pid);
}
