import { parseArgs } from "node:util";
import { apiFigures } from "./src/api-figures.ts";
import { largeReportFigures } from "./src/large-report-figures.ts";
import { listFigures } from "./src/list-figures.ts";
import { latencyFigures } from "./src/latency-figures.ts";
import { coldStartFigures, demoScanFigures } from "./src/scanner-figures.ts";
import { printFigures, type Figure } from "./src/figures.ts";

const parts = {
  "cold-start": coldStartFigures,
  "demo-scan": demoScanFigures,
  latency: latencyFigures,
  api: apiFigures,
  lists: listFigures,
  "large-reports": largeReportFigures,
};

/** `bench [--check] [--only PART]` */
const { values } = parseArgs({ options: { check: { type: "boolean" }, only: { type: "string" } } });
const report = (line: string): void => console.error(`  ${line}`);

const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue;
  report(name);
  figures.push(...(await measure(report)));
}
if (figures.length === 0) throw new Error(`--only: must be one of ${Object.keys(parts).join(", ")}`);

printFigures(figures, values);
