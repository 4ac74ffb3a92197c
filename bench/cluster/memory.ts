import { setTimeout as delay } from "node:timers/promises";
import { insertScans } from "../src/database.ts";
import { spreadOf, type Figure } from "../src/figures.ts";
import { processMemory } from "../../test/support/process-memory.ts";
import { startEmptyNode } from "../src/processes.ts";
import type { ControllerProcess } from "./controller-process.ts";
import type { Fixture } from "./fixture.ts";

const MEMORY_MIB = 150;
const SETTLE_MS = 5_000;
/** Enough to list and reconcile all Scans. */
const LISTED_MS = 20_000;

/**
 * Memory of the controller compared with an empty Node process: after it has run this many Scans, and when it has started with
 * this many ended Scans.
 */
export async function memoryFigures(fixture: Fixture, scans: number): Promise<Figure[]> {
  const { id, name } = await fixture.account("memory");
  const ids = await insertScans(fixture.database.url, id, scans);
  await fixture.createScans(
    ids.map((scanId) => ({ id: scanId, account: name, url: "https://api.example/v1" })),
  );
  const busy = await memoryAfter(fixture, async (controller) => {
    while (controller.finished < scans) await delay(1_000);
  });
  const idle = await memoryAfter(fixture, () => delay(LISTED_MS));
  await using node = await startEmptyNode();
  const empty = processMemory(node.pid);
  if (!busy || !idle || !empty) return [];
  const figure = (what: string, mib: number): Figure => ({
    name: `Controller memory, ${what} ${scans} Scans, empty Node`,
    product: `${Math.round(mib)} MiB`,
    baseline: `${Math.round(empty.current)} MiB`,
    ratio: spreadOf([mib / empty.current]),
    goal: { text: `under ${MEMORY_MIB} MiB`, met: mib < MEMORY_MIB },
  });
  return [figure("started among", idle.current), figure("after work on", busy.current)];
}

/** Memory of a controller a few seconds after its work. */
async function memoryAfter(fixture: Fixture, work: (controller: ControllerProcess) => Promise<void>) {
  await using controller = await fixture.controller();
  await work(controller);
  await delay(SETTLE_MS);
  return processMemory(controller.pid);
}
