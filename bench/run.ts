import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { apiFigures } from "./src/api-figures.ts";
import { coldStartFigures, demoScanFigures } from "./src/scanner-figures.ts";
import { renderTable, type Figure } from "./src/figures.ts";

const parts = { "cold-start": coldStartFigures, "demo-scan": demoScanFigures, api: apiFigures };

/** `bench [--check] [--only PART]`: measures, prints the table; with --check exits 1 when a goal is missed. */
const { values } = parseArgs({ options: { check: { type: "boolean" }, only: { type: "string" } } });
const report = (line: string): void => console.error(`  ${line}`);

const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue;
  report(name);
  figures.push(...(await measure(report)));
}
if (figures.length === 0) throw new Error(`--only: must be one of ${Object.keys(parts).join(", ")}`);

console.log(`One run on ${availableParallelism()} processors, Node ${process.versions.node}\n`);
console.log(renderTable(figures));
if (values.check && figures.some(({ goal }) => goal?.met === false)) process.exitCode = 1;
