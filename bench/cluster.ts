import { parseArgs } from "node:util";
import { openAuditLog } from "./cluster/meters.ts";
import { warmUp } from "./cluster/bare-client.ts";
import { controllerManager, FAST, STOCK, type RateLimits, addSimulatedNodes } from "./cluster/environment.ts";
import { fairnessFigures, throughputFigures } from "./cluster/throughput.ts";
import { firstRequestFigures } from "./cluster/first-request.ts";
import { hostileFigures } from "./cluster/hostile.ts";
import { memoryFigures } from "./cluster/memory.ts";
import { startFixture, type Fixture } from "./cluster/fixture.ts";
import { printFigures, type Figure } from "./src/figures.ts";

/** `bench:cluster [--check] [--only PART] [--rounds N] [--scale FRACTION]`: the scale reduces the numbers of scans. */
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
const audit = openAuditLog();
await using manager = controllerManager();

type Part = (fixture: Fixture) => Promise<Figure[]>;
const throughputAt =
  (limits: RateLimits, scans: number): Part =>
  (fixture) =>
    throughputFigures(fixture, { scans, rounds, audit, report, limited: manager && { manager, limits } });
const onSimulatedNodes: Record<string, Part> = {
  throughput: throughputAt(FAST, scaled(2_000)),
  ...(manager && { "stock-throughput": throughputAt(STOCK, scaled(500)) }),
  fairness: (fixture) => fairnessFigures(fixture, scaled(1_000)),
};
const parts: Record<string, Part> = {
  "first-request": (fixture) => firstRequestFigures(fixture, { rounds: 5 * rounds, report }),
  hostile: (fixture) => hostileFigures(fixture, report),
  memory: (fixture) => memoryFigures(fixture, scaled(10_000)),
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
    "Left out: throughput with stock settings, because GLOVEBOX_CLUSTER_CONTROLLER_MANAGER, a command that restarts the controller manager, is not set.",
  );
if (!audit)
  console.log(
    "Left out: API calls, because GLOVEBOX_CLUSTER_AUDIT_LOG, the API server's audit log, is not set.",
  );

if (simulator && chosen.some(([name]) => name in onSimulatedNodes)) await addSimulatedNodes(simulator);
const figures: Figure[] = [];
for (const [name, measure] of chosen) {
  report(name);
  await using fixture = await startFixture();
  if (name in onSimulatedNodes) await warmUp(fixture);
  figures.push(...(await measure(fixture)));
}
const settings = process.env["GLOVEBOX_CLUSTER_SETTINGS"];
printFigures(figures, { ...values, settings });
