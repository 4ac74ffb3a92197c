import { Worker } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { newScanId } from "@glovebox/contract";
import { packed } from "@glovebox/scan-run";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sampleOutcome } from "../testing/sample-report.ts";
import { ReportWorkers } from "./report-workers.ts";

const NOW = new Date("2030-01-02T03:04:05Z");
const outcome = sampleOutcome();
const report = outcome.status === "completed" ? outcome.report : undefined;
const scan = packed(
  JSON.stringify({
    ...{ id: newScanId(NOW), status: "completed", url: "https://api.example/" },
    ...{ createdAt: NOW.toISOString(), completedAt: NOW.toISOString(), ...report },
  }),
);
const toSarif = async () => ({ scan, format: "sarif", marks: new Map(), now: NOW }) as const;

afterEach(() => void vi.restoreAllMocks());

/** Threads that got a task, and the characters that this thread parsed. */
function watch() {
  const seen = { threads: new Set<Worker>(), parsedHere: 0 };
  const { postMessage } = Worker.prototype;
  vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function post(this: Worker, ...message) {
    seen.threads.add(this);
    return Reflect.apply(postMessage, this, message);
  });
  const { parse } = JSON;
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    seen.parsedHere += text.length;
    return parse(text, reviver);
  });
  return seen;
}

describe("tasks on reports", () => {
  test("run one after another in one thread, and nothing is parsed in the thread of the caller", async () => {
    const seen = watch();
    await using workers = disposable(new ReportWorkers({ threads: 1 }));
    let [loading, mostLoading] = [0, 0];
    const task = async () => {
      mostLoading = Math.max(mostLoading, ++loading);
      const input = await toSarif();
      loading--;
      return input;
    };
    const files = await Promise.all(
      Array.from({ length: 5 }, (_, n) => workers.pool.run(`account-${n}`, "export", task)),
    );
    expect([seen.threads.size, seen.parsedHere, mostLoading]).toEqual([1, 0, 1]);
    for (const file of files) expect(gunzipSync(file).toString()).toContain('"encryption.hsts"');
  });

  test("wait for their turn by account, not by arrival", async () => {
    await using workers = disposable(new ReportWorkers({ threads: 1 }));
    const order: string[] = [];
    const run = (account: string, name: string) =>
      workers.pool.run(account, "export", () => (order.push(name), toSarif()));
    await Promise.all([run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1")]);
    expect(order).toEqual(["a1", "a2", "b1", "a3"]);
  });

  test("tasks on reports are refused with the time to try again when too many wait", async () => {
    await using workers = disposable(new ReportWorkers({ threads: 1, maxWaiting: 2 }));
    const runs = Array.from({ length: 5 }, () => workers.pool.run("a", "export", toSarif));
    const ended = await Promise.allSettled(runs);
    const refused = ended.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(2);
    for (const each of refused)
      expect(each).toMatchObject({ reason: { code: "unavailable", headers: { "Retry-After": "5" } } });
  });

  test("tasks on reports that fail, or whose input cannot be loaded, make room for the next", async () => {
    await using workers = disposable(new ReportWorkers({ threads: 1 }));
    const broken = { report: packed('{"score":1}'), id: "f-1" };
    await expect(workers.pool.run("a", "finding", async () => broken)).rejects.toThrow(
      "The report task finding failed: TypeError",
    );
    const unloaded = workers.pool.run("a", "export", () => Promise.reject(new Error("no database")));
    await expect(unloaded).rejects.toThrow("no database");
    expect(await workers.pool.run("a", "finding", async () => ({ report: scan, id: "f-1" }))).toMatchObject({
      title: "No HSTS",
    });
  });

  test("tasks on reports whose thread dies are an error, and the next one has another thread", async () => {
    const seen = watch();
    await using workers = disposable(new ReportWorkers({ threads: 1 }));
    const dying = workers.pool.run("a", "export", toSarif);
    await vi.waitUntil(() => seen.threads.size > 0);
    await [...seen.threads][0]!.terminate();
    await expect(dying).rejects.toThrow("The thread of the report task export exited");
    expect(gunzipSync(await workers.pool.run("a", "export", toSarif)).length).toBeGreaterThan(0);
    expect(seen.threads.size).toBe(2);
  });
});

const disposable = (pool: ReportWorkers) => ({ pool, [Symbol.asyncDispose]: () => pool.close() });
