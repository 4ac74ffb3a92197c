import { serialize } from "node:v8";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test, vi } from "vitest";
import { MAX_LOG_BYTES, MAX_OUTCOME_BYTES } from "./frames.ts";
import { OutcomeReader } from "./outcome-reader.ts";
import { completed, HOSTILE, HOSTILE_REPORTS, largest, outputOf } from "./testing/outputs.ts";

const OUTPUTS = { ...HOSTILE, ...HOSTILE_REPORTS, largest: () => outputOf(largest()) };

const TOO_MANY_LINES = "Its log has too many lines.";
const TOO_LARGE = "It is not valid gzip, or exceeds the size limit when decompressed.";
const TOO_MANY_VALUES = "It has too many JSON values, or they are nested too deeply.";
/** How an output is refused before it is parsed. What is parsed may be refused by the schema, or by the limits of the thread. */
const REFUSED: Readonly<Record<string, string>> = {
  "400,000 empty lines": TOO_MANY_LINES,
  "nothing but line ends": TOO_MANY_LINES,
  "many short lines": TOO_MANY_LINES,
  "many lines of progress": TOO_MANY_LINES,
  "32 MiB of objects": TOO_LARGE,
  "32 MiB of arrays in one another": TOO_LARGE,
  "8 MiB of objects": TOO_MANY_VALUES,
  "8 MiB of arrays in one another": TOO_MANY_VALUES,
  "8 MiB that are not UTF-8": "It is not valid UTF-8.",
};

/** The most at any time: of threads, of the heap they may use in MiB, and of outputs that are being decoded. */
interface AtOnce {
  threads: number;
  heapMiB: number;
  decoding: number;
}

/** The largest text, in bytes or characters, that came to a thread, came back, and was parsed by this thread. */
interface Largest {
  handedOver: number;
  returned: number;
  parsedHere: number;
}

afterEach(() => void vi.restoreAllMocks());

/** Counts what decoders and this thread do until the mocks are restored. */
function watchDecoding(): AtOnce & Largest {
  const most = { threads: 0, heapMiB: 0, decoding: 0, handedOver: 0, returned: 0, parsedHere: 0 };
  const raise = (key: keyof typeof most, value: number): void =>
    void (most[key] = Math.max(most[key], value));
  /** Of each thread, the number of outputs that it has not decoded yet. */
  const threads = new Map<Worker, number>();
  const { postMessage } = Worker.prototype;
  vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function post(this: Worker, output, buffers) {
    if (!threads.has(this)) this.once("exit", () => threads.delete(this));
    threads.set(this, (threads.get(this) ?? 0) + 1);
    this.once("message", (reading) => {
      threads.set(this, threads.get(this)! - 1);
      raise("returned", serialize(reading).byteLength);
    });
    raise("threads", threads.size);
    raise("heapMiB", sum([...threads.keys()].map(heapOf)));
    raise("decoding", sum([...threads.values()]));
    raise("handedOver", output.log.byteLength);
    postMessage.call(this, output, buffers as never);
  });
  const { parse } = JSON;
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    raise("parsedHere", text.length);
    return parse(text, reviver);
  });
  return most;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number);
const heapOf = ({ resourceLimits }: Worker): number =>
  resourceLimits!.maxOldGenerationSizeMb! + resourceLimits!.maxYoungGenerationSizeMb!;

describe.each(Object.entries(OUTPUTS))("eight outputs of %s, read at the same time,", (name, make) => {
  test(`eight outputs of ${name}, read at the same time, are decoded one after another outside the thread of the caller, which gets little back`, async () => {
    const output = make();
    const copies = Array.from({ length: 8 }, () => ({ ...output, log: new Uint8Array(output.log!) }));
    const last = outputOf(completed());
    const most = watchDecoding();
    await using reader = new OutcomeReader();
    const readings = await Promise.all(copies.map((copy) => reader.read(copy)));
    expect((await reader.read(last)).is).toBe("whole");

    const refusal = { is: "malformed", detail: REFUSED[name] };
    if (name in REFUSED) expect(readings).toEqual(readings.map(() => refusal));
    else if (name in HOSTILE) expect(new Set(readings.map(({ is }) => is))).toEqual(new Set(["malformed"]));
    else if (name === "largest") expect(new Set(readings.map(({ is }) => is))).toEqual(new Set(["whole"]));
    expect(most).toMatchObject({ threads: 1, decoding: 1, parsedHere: 0 });
    // The chart gives the controller 256 MiB; with 10,000 Scans and this thread it takes less than 150.
    expect(most.heapMiB).toBeLessThanOrEqual(72);
    expect(most.handedOver).toBeLessThanOrEqual(MAX_LOG_BYTES);
    expect(most.returned).toBeLessThanOrEqual(MAX_OUTCOME_BYTES);
    // Handed over, not copied.
    expect(sum(copies.map(({ log }) => log.byteLength))).toBe(0);
  });
});
