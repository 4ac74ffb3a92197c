import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { auditLog } from "./cluster/meters.ts";
import { warmUp } from "./cluster/bare-client.ts";
import { controllerManager, FAST, STOCK, type Pace, addSimulatedNodes } from "./cluster/environment.ts";
import { fairnessFigures, throughputFigures } from "./cluster/throughput.ts";
import { firstRequestFigures } from "./cluster/first-request.ts";
import { hostileFigures } from "./cluster/hostile.ts";
import { memoryFigures } from "./cluster/memory.ts";
import { setStage, type Stage } from "./cluster/stage.ts";
import { renderTable, type Figure } from "./src/figures.ts";

/**
 * `bench:cluster [--check] [--only PART] [--rounds N] [--scale FRACTION]`: measures, prints the table; with --check exits
 * 1 when a goal is missed. The scale makes all numbers of scans smaller.
 */
const { values } = parseArgs({
  options: {
    check: { type: "boolean" },
    only: { type: "string" },
    rounds: { type: "string", default: "3" },
    scale: { type: "string", default: "1" },
  },
});
const rounds = Number(values.rounds);
const scaled = (count: number): number => Math.max(20, Math.round(count * Number(values.scale)));
const report = (line: string): void => console.error(`  ${line}`);
const simulator = process.env["GLOVEBOX_CLUSTER_KWOK"];
const audit = auditLog();
await using manager = controllerManager();

type Part = (stage: Stage) => Promise<Figure[]>;
const throughputAt =
  (pace: Pace, scans: number): Part =>
  (stage) =>
    throughputFigures(stage, { scans, rounds, audit, report, paced: manager && { manager, pace } });
const onSimulatedNodes: Record<string, Part> = {
  throughput: throughputAt(FAST, scaled(2_000)),
  ...(manager && { "stock-throughput": throughputAt(STOCK, scaled(500)) }),
  fairness: (stage) => fairnessFigures(stage, scaled(1_000)),
};
const parts: Record<string, Part> = {
  "first-request": (stage) => firstRequestFigures(stage, { rounds: 5 * rounds, report }),
  hostile: (stage) => hostileFigures(stage, report),
  memory: (stage) => memoryFigures(stage, scaled(10_000)),
  ...(simulator && onSimulatedNodes),
};
const chosen = Object.entries(parts).filter(([name]) => [undefined, name].includes(values.only));
if (chosen.length === 0) throw new Error(`--only: must be one of ${Object.keys(parts).join(", ")}`);
if (!simulator)
  console.log(
    `Left out: ${Object.keys(onSimulatedNodes).join(" and ")}, because GLOVEBOX_CLUSTER_KWOK, a command that adds simulated nodes, is not set.`,
  );
if (!manager)
  console.log(
    "Left out: throughput with stock settings, because GLOVEBOX_CLUSTER_CONTROLLER_MANAGER, a command that starts the controller manager anew, is not set.",
  );
if (!audit)
  console.log(
    "Left out: API calls, because GLOVEBOX_CLUSTER_AUDIT_LOG, the API server's audit log, is not set.",
  );

if (simulator && chosen.some(([name]) => name in onSimulatedNodes)) await addSimulatedNodes(simulator);
const figures: Figure[] = [];
for (const [name, measure] of chosen) {
  report(name);
  await using stage = await setStage();
  if (name in onSimulatedNodes) await warmUp(stage);
  figures.push(...(await measure(stage)));
}
const settings = process.env["GLOVEBOX_CLUSTER_SETTINGS"];
const machine = `${availableParallelism()} processors, Node ${process.versions.node}`;
console.log(`One run on ${machine}${settings ? `; cluster: ${settings}` : ""}\n`);
console.log(renderTable(figures));
if (values.check && figures.some(({ goal }) => goal?.met === false)) process.exitCode = 1;
