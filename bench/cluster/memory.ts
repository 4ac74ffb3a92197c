import { setTimeout as delay } from "node:timers/promises";
import { insertScans } from "../src/database.ts";
import { spreadOf, type Figure } from "../src/figures.ts";
import { memoryOf, serveNothing } from "../src/processes.ts";
import { finishedOf, type Stage } from "./stage.ts";

const MEMORY_MIB = 150;
const SETTLE_MS = 5_000;

/** What the controller holds once it has dealt with so many Scans that stay in the cluster, against an empty Node. */
export async function memoryFigures(stage: Stage, scans: number): Promise<Figure[]> {
  const { id, name } = await stage.account("memory");
  const ids = await insertScans(stage.database.url, id, scans);
  await stage.createScans(ids.map((scanId) => ({ id: scanId, account: name, url: "https://198.18.0.1/v1" })));
  await using controller = await stage.controller();
  while (finishedOf(await controller.metrics()) < scans) await delay(1_000);
  await delay(SETTLE_MS);
  await using nothing = await serveNothing();
  const [product, empty] = [await memoryOf(controller.pid), await memoryOf(nothing.pid)];
  if (!product || !empty) return [];
  const name_ = `Controller memory with ${scans} Scans`;
  const figure = (name: string, mib: number, goal?: Figure["goal"]): Figure => ({
    name,
    product: `${Math.round(mib)} MiB`,
    baseline: `${Math.round(empty.nowMiB)} MiB`,
    ratio: spreadOf([mib / empty.nowMiB]),
    goal,
  });
  return [
    figure(`${name_}, empty Node`, product.nowMiB, {
      text: `under ${MEMORY_MIB} MiB`,
      met: product.nowMiB < MEMORY_MIB,
    }),
    figure(`${name_}, at its most`, product.mostMiB),
  ];
}
