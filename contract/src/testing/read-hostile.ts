// Started by outcome-reader.load.test.ts, in a process of its own: reads what the named hostile output is eight times at once, and
// tells what became of it, how long its event loop was held up at most, and how much memory it took, in milliseconds and MiB.
import { readFileSync } from "node:fs";
import { OutcomeReader, type ScannerOutput } from "../outcome-reader.ts";
import { watchEventLoop } from "./event-loop.ts";
import { completed, HOSTILE, HOSTILE_REPORTS, largest, outputOf } from "./outputs.ts";

const [name = ""] = process.argv.slice(2);
const make = { ...HOSTILE, ...HOSTILE_REPORTS, largest: () => outputOf(largest()) }[name]!;
const memory = (field: "VmRSS" | "VmHWM"): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024;

/** Each its own, as each is handed over. */
const copyOf = ({ message, log }: Required<ScannerOutput>): ScannerOutput => ({
  message,
  log: new Uint8Array(log!),
});

const output = make();
await using reader = new OutcomeReader();
await reader.read(outputOf(completed()));
globalThis.gc?.();
const before = memory("VmRSS");
const loop = watchEventLoop();
const readings = await Promise.all(Array.from({ length: 8 }, () => reader.read(copyOf(output))));
const after = await reader.read(outputOf(completed()));
process.stdout.write(
  JSON.stringify({
    readings: readings.map((reading) => ("detail" in reading ? reading.detail : reading.is)),
    after: after.is,
    ...loop(),
    grownMiB: memory("VmHWM") - before,
  }),
);
