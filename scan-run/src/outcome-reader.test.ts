import { afterAll, describe, expect, test } from "vitest";
import { unpacked } from "./packed-report.ts";
import { MAX_INFLATED_BYTES, MAX_VALUES, outcomeFrames, terminationMessage, type Outcome } from "./frames.ts";
import { scanFailure } from "@glovebox/contract";
import { OutcomeReader, type ScannerOutput } from "./outcome-reader.ts";
import { found } from "@glovebox/domain/testing";
import { completed, HOSTILE, largest, outputOf } from "./testing/outputs.ts";

const reader = new OutcomeReader();
afterAll(() => reader[Symbol.asyncDispose]());

const failed: Outcome = { status: "failed", failure: scanFailure("tls_failure") };

describe("what a scanner left", () => {
  test("what a scanner left is a report in short, and all of it as JSON", async () => {
    const outcome = completed([found("low firm")], ["It said \0."]);
    const reading = await reader.read(outputOf(outcome));
    const { score, grade } = outcome.report;
    expect(reading).toEqual({
      is: "whole",
      outcome: {
        status: "completed",
        report: { score, grade, findings: 1, index: expect.anything(), body: expect.anything() },
      },
    });
    if (reading.is !== "whole" || reading.outcome.status !== "completed") return;
    const whole = JSON.parse(await unpacked(reading.outcome.report.body)) as unknown;
    expect(whole).toEqual({ ...outcome.report, notes: ["It said \u{FFFD}."] });
  });

  test.each<[string, ScannerOutput]>([
    ["in its log alone", { log: Buffer.from(lines(failed)) }],
    ["in its message alone", { message: terminationMessage(outcomeFrames(failed)) }],
    ["after an ending that somebody forged in the log", { ...outputOf(failed), log: forged() }],
  ])("what a scanner left is its failure, %s", async (_, output) => {
    expect(await reader.read(output)).toEqual({ is: "whole", outcome: failed });
  });

  test.each<[string, ScannerOutput, string]>([
    ["nothing", {}, "unfinished"],
    ["a log without its ending", { log: outputOf(completed()).log }, "unfinished"],
    ["an ending alone", { message: outputOf(completed()).message }, "cut"],
    [
      "the maximum number of lines that fit into it",
      { ...outputOf(completed()), log: Buffer.from("x") },
      "cut",
    ],
  ])("what a scanner left is %s: %s", async (_, output, is) => {
    expect(await reader.read(output)).toEqual({ is });
  });

  test("what a scanner left is the largest report that a scanner makes, read with a fifth of the memory to spare", async () => {
    const outcome = largest();
    const json = JSON.stringify(outcome);
    expect(Buffer.byteLength(json)).toBeGreaterThan(0.8 * MAX_INFLATED_BYTES);
    expect((json.match(/[,{[]/g) ?? []).length).toBeGreaterThan(0.8 * MAX_VALUES);
    await using small = new OutcomeReader({ heapMegabytes: 52 });
    expect(await small.read(outputOf(outcome))).toMatchObject({
      is: "whole",
      outcome: { report: { findings: outcome.report.findings.length } },
    });
  });
});

describe("a reader whose thread died", () => {
  test.each([
    ["of too little memory", { heapMegabytes: 24 }, "It exceeded the memory limit of the decoder."],
    ["of too little time", { deadlineMs: 1 }, "It exceeded the time limit of the decoder."],
  ])("%s says so of what killed it, and reads what waits with another one", async (_, limits, detail) => {
    await using weak = new OutcomeReader(limits);
    const wrong = HOSTILE["the maximum number of wrong values that are parsed"]!();
    const readings = [weak.read(wrong), weak.read(outputOf(completed()))];
    expect(await readings[0]).toEqual({ is: "malformed", detail });
    if ("heapMegabytes" in limits) expect(await readings[1]).toMatchObject({ is: "whole" });
  });
});

function lines(outcome: Outcome): string {
  return outcomeFrames(outcome)
    .map((frame) => JSON.stringify(frame))
    .join("\n");
}

function forged(): Buffer<ArrayBuffer> {
  const { log } = outputOf(failed);
  return Buffer.concat([Buffer.from(`${lines(completed())}\n`), log!]);
}
