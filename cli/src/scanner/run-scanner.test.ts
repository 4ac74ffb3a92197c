import { OutcomeReader, type ProgressFrame } from "@glovebox/scan-run";
import { type ScanMode, type ScanOrder } from "@glovebox/contract";
import { afterAll, describe, expect, test } from "vitest";
import {
  DELIVER,
  DELIVERED,
  DELIVER_ONLY_THE_ENDING,
  PROGRESS,
  fakeScanner,
} from "./testing/fake-scanner.ts";
import { runScanner, type RunEnding } from "./run-scanner.ts";

const ORDER: ScanOrder = {
  scanId: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
  url: "https://api.example.com/",
  pins: [{ host: "api.example.com", addresses: ["8.8.8.8"], ports: [443] }],
  limits: { deadlineSeconds: 20, maxRequests: 10 },
};

const outcomes = new OutcomeReader();
afterAll(() => outcomes[Symbol.asyncDispose]());

const FLOOD = `const line = '{"frame":"progress","category":"ssrf","done":1,"planned":4}\\n'.repeat(1000);
  for (;;) await new Promise((written) => process.stdout.write(line, written));`;

interface Observed {
  readonly ending: RunEnding;
  readonly progress: readonly ProgressFrame[];
  readonly stderr: string;
}

async function observe(
  body: string,
  options: { deadlineSeconds?: number; abortOnProgress?: boolean; mode?: ScanMode; cleanUpMs?: number } = {},
): Promise<Observed> {
  using fake = fakeScanner(body);
  const progress: ProgressFrame[] = [];
  const abort = new AbortController();
  let stderr = "";
  const onProgress = (frame: ProgressFrame) => {
    progress.push(frame);
    if (options.abortOnProgress) abort.abort();
  };
  const limits = { ...ORDER.limits, deadlineSeconds: options.deadlineSeconds ?? 20 };
  const ending = await runScanner(
    {
      order: { ...ORDER, limits, ...(options.mode && { mode: options.mode }) },
      onProgress,
      signal: abort.signal,
    },
    {
      program: fake.program,
      node: process.execPath,
      outcomes,
      graceMs: 0,
      ...(options.cleanUpMs !== undefined && { cleanUpMs: options.cleanUpMs }),
      onStderr: (_id, text) => (stderr = text),
    },
  );
  return { ending, progress, stderr };
}

describe("a run of the scanner", () => {
  test("the order arrives whole on stdin, progress and outcome come back", async () => {
    const { ending, progress } = await observe(`
      let text = "";
      for await (const chunk of process.stdin) text += chunk;
      if (JSON.parse(text).url !== "https://api.example.com/") process.exit(1);
      ${PROGRESS} ${DELIVER}`);
    expect(ending).toEqual({ how: "delivered", outcome: DELIVERED });
    expect(progress).toEqual([{ frame: "progress", category: "ssrf", done: 1, planned: 4 }]);
  });

  test.each<[string, string, RunEnding["how"]]>([
    ["a program that ends without a word has crashed", "", "crashed"],
    ["a program that throws has crashed", "throw new Error('no')", "crashed"],
    ["a program that kills itself has crashed", "process.kill(process.pid, 'SIGKILL'); for (;;);", "crashed"],
    [
      "a program that takes all the memory it may is exhausted",
      "const a = []; for (;;) a.push(new Array(1e5).fill({}));",
      "exhausted",
    ],
    ["an outcome without its pieces is lost", DELIVER_ONLY_THE_ENDING, "lost"],
    [
      "a program that closes stdin before its order was read delivers all the same",
      `process.stdin.destroy(); ${DELIVER}`,
      "delivered",
    ],
    [
      "lines that are not frames change nothing",
      `console.log("{}"); console.log("hello"); ${DELIVER}`,
      "delivered",
    ],
    [
      "a line without end is stopped and lost",
      "for (;;) await new Promise((written) => process.stdout.write('x'.repeat(65536), written));",
      "lost",
    ],
    ["a flood of progress is stopped and malformed", FLOOD, "malformed"],
  ])(
    "%s",
    async (_sentence, body, how) => {
      expect((await observe(body)).ending.how).toBe(how);
    },
    30_000,
  );

  test("a program that hangs is killed past its deadline", async () => {
    const { ending } = await observe("setInterval(() => {}, 1000); process.on('SIGTERM', () => {});", {
      deadlineSeconds: 1,
    });
    expect(ending).toEqual({ how: "overran" });
  });

  test("an aborted run is killed although it works", async () => {
    const { ending } = await observe(`setInterval(() => {}, 1000); ${PROGRESS}`, { abortOnProgress: true });
    expect(ending).toEqual({ how: "aborted" });
  });

  const CLEANS_UP = `process.on("SIGTERM", () => process.stderr.write("cleaned up", () => process.exit(0)));
    setInterval(() => {}, 1000); ${PROGRESS}`;

  test("an aborted active scan is told to end, so that it can clean up", async () => {
    const { ending, stderr } = await observe(CLEANS_UP, { abortOnProgress: true, mode: "active" });
    expect({ ending, stderr }).toEqual({ ending: { how: "aborted" }, stderr: "cleaned up" });
  });

  test("what an aborted active scan says at its end arrives: something may remain", async () => {
    const body = `process.on("SIGTERM", () => { ${DELIVER} process.exit(0); }); setInterval(() => {}, 1000); ${PROGRESS}`;
    const { ending } = await observe(body, { abortOnProgress: true, mode: "active" });
    expect(ending).toEqual({ how: "aborted", outcome: DELIVERED });
  });

  test("an aborted safe scan is killed at once", async () => {
    const { ending, stderr } = await observe(CLEANS_UP, { abortOnProgress: true });
    expect({ ending, stderr }).toEqual({ ending: { how: "aborted" }, stderr: "" });
  });

  test("an active scan that does not end when it is told to is killed", async () => {
    const body = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); ${PROGRESS}`;
    const { ending } = await observe(body, { abortOnProgress: true, mode: "active", cleanUpMs: 1 });
    expect(ending).toEqual({ how: "aborted" });
  });

  test("stderr is kept, and no more of it than 8 KiB", async () => {
    const { ending, stderr } = await observe(`process.stderr.write('e'.repeat(1e6), () => { ${DELIVER} })`);
    expect(ending.how).toBe("delivered");
    expect(stderr).toBe("e".repeat(8192));
  });

  test.each([
    ["aborts itself, as V8 does without memory,", "process.abort()", "exhausted"],
    ["throws", "throw new Error('a bug')", "crashed"],
    [
      "is killed from outside",
      "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)",
      "crashed",
    ],
    ["just ends", "", "crashed"],
  ])("a program that %s has ended in the way that its quota depends on", async (_what, code, how) => {
    expect((await observe(code)).ending).toEqual({ how });
  });

  test("a program that cannot be started has crashed", async () => {
    using fake = fakeScanner("");
    const deps = { program: fake.program, node: "/no/such/node", outcomes, graceMs: 0, onStderr: () => {} };
    const ending = await runScanner(
      { order: ORDER, onProgress: () => {}, signal: new AbortController().signal },
      deps,
    );
    expect(ending).toEqual({ how: "crashed" });
  });
});

describe("the confinement of the scanner", () => {
  const ATTEMPTS: Record<string, string> = {
    "reading a file": "(await import('node:fs')).readFileSync('/etc/passwd')",
    "listing a folder": "(await import('node:fs')).readdirSync('/')",
    "writing a file": "(await import('node:fs')).writeFileSync('/tmp/glovebox-must-not-exist', '')",
    "starting a process": "(await import('node:child_process')).execFileSync('/bin/true')",
    "reading a file in a worker": `await new Promise((resolve, reject) => {
      const code = "require('node:fs').readFileSync('/etc/passwd')";
      import('node:worker_threads').then(({ Worker }) => new Worker(code, { eval: true }).on('error', reject).on('exit', resolve));
    })`,
  };

  test.each(Object.entries(ATTEMPTS))("%s is denied", async (_attempt, code) => {
    const { ending, stderr } = await observe(
      `try { ${code}; console.error("allowed") } catch (error) { console.error(error.code) } ${DELIVER}`,
    );
    expect(ending.how).toBe("delivered");
    expect(stderr).toBe("ERR_ACCESS_DENIED\n");
  });

  test("its environment contains two settings of malloc and nothing else", async () => {
    const { stderr } = await observe(`console.error(JSON.stringify(process.env)); ${DELIVER}`);
    expect(JSON.parse(stderr)).toEqual({ MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "65536" });
  });

  test("the service's own environment is not to be read through /proc", async () => {
    const { stderr } = await observe(`
      const { readFileSync } = await import("node:fs");
      try { readFileSync("/proc/" + process.ppid + "/environ"); console.error("allowed") }
      catch (error) { console.error(error.code) } ${DELIVER}`);
    expect(stderr).toBe("ERR_ACCESS_DENIED\n");
  });
});
