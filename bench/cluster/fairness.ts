import { setTimeout as delay } from "node:timers/promises";
import type { ScanResource } from "@glovebox/k8s";
import { getJson } from "../../test/cluster/support/kubectl.ts";
import { spreadOf, type Figure } from "../src/figures.ts";
import { scansFor, type Stage } from "./stage.ts";

const ACCOUNTS = 20;
const BOUND = 1.3;

/** The mean wait of the worst served account against that of the best served, when all submit at once. */
export async function fairnessFigures(stage: Stage, scans: number): Promise<Figure[]> {
  // One account after the other: who comes first must not have all turns first.
  const submitted = scansFor(scans, (number) => `fair-${Math.floor((number * ACCOUNTS) / scans)}`);
  await stage.submit(submitted);
  const started = Date.now();
  await using controller = await stage.controller();
  while (controller.finished < scans) await delay(1_000);
  const { items } = await getJson<{ items: ScanResource[] }>("scans.glovebox.dev", "-n", stage.namespace);
  const waits = Map.groupBy(items, ({ spec }) => spec.account);
  const means = [...waits.values()].map(
    (own) => own.reduce((sum, { status }) => sum + Date.parse(status!.startedAt!) - started, 0) / own.length,
  );
  const [best, worst] = [Math.min(...means), Math.max(...means)];
  const ratio = spreadOf([worst / best]);
  return [
    {
      name: `Mean wait of ${scans} scans of ${ACCOUNTS} accounts: worst account, best account`,
      product: `${(worst / 1000).toFixed(1)} s`,
      baseline: `${(best / 1000).toFixed(1)} s`,
      ratio,
      goal: { text: `under ${BOUND}`, met: ratio.median < BOUND },
    },
  ];
}
