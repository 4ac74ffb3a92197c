import { parseArgs } from "node:util";
import { DEFAULT_LIMITS, type Outcome, type ScanOrder } from "@glovebox/contract";
import { scanInProcess } from "../test/scanner/scan-process.ts";
import { measure, sightingsOf, type Measure } from "./detection/measure.ts";
import { NUISANCES, type Nuisance } from "./detection/nuisances.ts";
import { ROWS } from "./detection/rows/index.ts";
import { startTarget, type Side } from "./detection/target.ts";

const { values } = parseArgs({ options: { only: { type: "string" }, verbose: { type: "boolean" } } });
for (const [name, nuisance] of Object.entries(NUISANCES)) {
  if (values.only !== undefined && values.only !== name) continue;
  for (const side of ["weak", "safe"] as const) {
    const started = performance.now();
    await using target = await startTarget(ROWS, side, nuisance);
    const order: ScanOrder = { scanId: "bench", url: target.url, pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [target.port] }], extraCa: target.caPem, limits: DEFAULT_LIMITS, spec: { from: "text", text: target.document } };
    const { outcome } = await scanInProcess(order);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (outcome.status === "failed") { console.log(name, side, seconds, outcome.failure); continue; }
    const r = outcome.report;
    const m = measure(ROWS, side, sightingsOf(r.findings));
    console.log(name, side, `${seconds}s`, r.score, r.grade, r.coverage.overall, r.statistics.requests, `found ${m.found.length} missed ${m.missed.length} alarms ${m.alarms.length}`);
    if (values.verbose) for (const s of sightingsOf(r.findings)) console.log("   ", s.severity, s.check, s.places.join(' / '));
    if (values.verbose) for (const c of r.checks) if (c.inconclusive) console.log("   ?", c.check, c.passed, c.failed, c.inconclusive, c.reasons.join(" | ").slice(0,300));
    if (values.verbose) console.log(r.notes);
    for (const row of m.missed) console.log("   missed", row.checks.join("|"), row.at, nuisance.hides?.(row) ? "(hidden)" : "");
    for (const a of m.alarms) console.log("   ALARM", a.severity, a.check, a.places.join(' / '));
  }
}
