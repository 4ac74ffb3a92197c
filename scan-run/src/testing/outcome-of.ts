import { FrameReader } from "../frame-reader.ts";
import type { Outcome } from "../frames.ts";

/**
 * The outcome that a scanner's lines deliver.
 * @throws when they deliver none
 */
export function outcomeOf(lines: Iterable<string>): Outcome {
  const reader = new FrameReader();
  for (const line of lines) reader.line(line);
  const reading = reader.reading();
  if (reading.is !== "whole") throw new Error(`The scanner delivered nothing: ${JSON.stringify(reading)}`);
  return reading.outcome;
}
