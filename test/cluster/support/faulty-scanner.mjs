// Loaded before the scanner in its pod. Injects the fault that FAULT names when the scanner prints its report, or replaces the
// scanner. Some faults wait for the file GO, so that the test can change the pod before the scanner continues.
import { createHash } from "node:crypto";
import { existsSync, writeFileSync, writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { gzipSync } from "node:zlib";

const GO = "/tmp/go";
const { FAULT, NOISE_BYTES = "0" } = process.env;
const isScanner = isMainThread && process.argv[1]?.endsWith("scanner-job.mjs");
const never = new Int32Array(new SharedArrayBuffer(4));
const pause = () => void Atomics.wait(never, 0, 0, 20);

function waitForGo() {
  while (!existsSync(GO)) pause();
}

/** Writes all of the text to stdout, a pipe that may be full for a while. */
function write(text) {
  for (let left = Buffer.from(text); left.length > 0;) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      pause();
    }
  }
  return true;
}

function writeNoise() {
  const line = `${"noise ".repeat(170)}\n`;
  for (let bytes = 0; bytes < Number(NOISE_BYTES); bytes += line.length) write(line);
}

function exhaustMemory() {
  const kept = [];
  for (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1));
}

const PIECE_BYTES = 6000;

/** Prints the frames of a report with this uncompressed content and a valid digest. */
function deliver(content) {
  const packed = gzipSync(content);
  const sha256 = createHash("sha256").update(packed).digest("hex");
  const of = Math.ceil(packed.length / PIECE_BYTES);
  for (let seq = 0; seq < of; seq++) {
    const data = packed.subarray(seq * PIECE_BYTES, (seq + 1) * PIECE_BYTES).toString("base64");
    write(`${JSON.stringify({ frame: "report", seq, of, sha256, data })}\n`);
  }
  end({ size: packed.length, sha256 });
}

function end({ size, sha256 }) {
  const ending = JSON.stringify({ frame: "ending", status: "completed", size, sha256, findings: 0 });
  write(`${ending}\n`);
  writeFileSync("/dev/termination-log", ending);
  process.exit(0);
}

/** Prints this line repeatedly, and then the ending of a report that was not printed. */
function fillLog(line) {
  write(line.repeat(Number(NOISE_BYTES) / line.length));
  end({ size: 1000, sha256: "0".repeat(64) });
}

/**
 * Hooks of each fault: `before` and `after` the first piece of the report, `skips` or `cuts` a piece, `atExit`, and `instead` of
 * the scan.
 */
const faults = {
  "killed in mid-write": { after: () => process.kill(process.pid, "SIGKILL") },
  "out of memory in mid-write": { after: exhaustMemory },
  "without its last piece": { skips: ({ seq, of }) => seq === of - 1 },
  "with half of its last piece": { cuts: ({ seq, of }) => seq === of - 1 },
  "after much noise": { before: writeNoise },
  "rotated before": { before: () => (writeNoise(), waitForGo()) },
  "rotated in the middle": { after: () => (writeNoise(), waitForGo()) },
  "empty lines": { instead: () => fillLog("\n") },
  "short lines": { instead: () => fillLog("{}\n") },
  "progress lines": {
    instead: () => fillLog('{"frame":"progress","category":"ssrf","done":1,"planned":2}\n'),
  },
  "unpacks to numbers": { instead: () => deliver(`[${"0,".repeat(Number(NOISE_BYTES) / 2)}0]`) },
  "unpacks to objects": { instead: () => deliver(`[${"{},".repeat(Number(NOISE_BYTES) / 3)}{}]`) },
  "unpacks to brackets": { instead: () => deliver("[".repeat(Number(NOISE_BYTES))) },
  "rotated after": { atExit: () => (writeNoise(), waitForGo()) },
};

const fault = faults[FAULT];
if (isScanner && fault) {
  fault.instead?.();
  if (fault.atExit) process.once("exit", fault.atExit);
  process.stdout.write = (text) => {
    const frame = JSON.parse(text);
    if (frame.frame !== "report") return write(text);
    if (frame.seq === 0) fault.before?.();
    if (fault.skips?.(frame)) return true;
    write(fault.cuts?.(frame) ? text.slice(0, text.length / 2) + "\n" : text);
    if (frame.seq === 0) fault.after?.();
    return true;
  };
}
