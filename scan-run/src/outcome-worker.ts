import { parentPort } from "node:worker_threads";
import { delivered, type DeliveredOutcome } from "./delivered.ts";
import { FrameReader, malformedReading, type Reading } from "./frame-reader.ts";
import { FrameLines } from "./frame-lines.ts";
import type { ScannerOutput } from "./outcome-reader.ts";

// Started by outcome-reader.ts from source and from a bundle: it imports no workspace package by name.
parentPort?.on("message", (output: ScannerOutput) => parentPort?.postMessage(read(output)));

/** The termination message comes first, because only the first ending counts. */
function read({ message, log }: ScannerOutput): Reading<DeliveredOutcome> {
  const reader = new FrameReader();
  let isOver = false;
  for (const bytes of [message === undefined ? undefined : Buffer.from(message), log]) {
    if (!bytes) continue;
    const lines = new FrameLines();
    for (const line of lines.push(bytes)) reader.line(line);
    for (const line of lines.end()) reader.line(line);
    isOver ||= lines.isOver;
  }
  const reading = reader.reading();
  if (reading.is === "whole") return { is: "whole", outcome: delivered(reading.outcome) };
  return isOver ? malformedReading("Its log has too many lines.") : reading;
}
