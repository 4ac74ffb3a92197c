import { execFileSync } from "node:child_process";
import type { NotedWrite, Resumption, ScanOrder } from "@glovebox/contract";
import {
  changesBetween,
  createDemoCertificates,
  type Demo,
  type DemoCertificates,
  type StateChanges,
  startDemo,
} from "@glovebox/demo";
import { OutcomeReader } from "@glovebox/scan-run";
import type { ScanRow } from "@glovebox/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ownScanner } from "../../cli/src/scanner/program.ts";
import { runScanner, type ScannerRun } from "../../cli/src/scanner/run-scanner.ts";
import { executeScan, type ExecutionResult } from "../../cli/src/standalone/execute-scan.ts";
import { shopOrder } from "./shop-order.ts";

const TIMED_OUT = 300_000;
const SEED = "0123456789abcdef".repeat(4);
const SCANNER = ownScanner();

let tls: DemoCertificates;
const outcomes = new OutcomeReader();
beforeAll(async () => {
  tls = await createDemoCertificates();
});
afterAll(() => outcomes[Symbol.asyncDispose]());

/** What the launcher does with a scanner whose attempt has noted a write. */
interface Disturbance {
  readonly attempt: number;
  /** Objects of the scan that exist now, as far as was noted. */
  readonly objects: number;
  readonly cancel: () => void;
}

interface Executed {
  readonly result: ExecutionResult;
  readonly changes: StateChanges;
  readonly orders: readonly ScanOrder[];
  readonly writes: readonly NotedWrite[];
}

/** An active scan of a shop of its own, by the launcher of `glovebox serve`, with the writes in memory. */
async function executed(disturb: (about: Disturbance) => void): Promise<Executed> {
  const options = { port: 0, tls, only: "shop", accessSeconds: 600, requestsPerSecond: 10_000 } as const;
  const demo = await startDemo({ variant: "vulnerable", ...options });
  const before = demo.shopState();
  const stored = new Map<number, NotedWrite>();
  const orders: ScanOrder[] = [];
  const cancelled = new AbortController();
  const run = (given: ScannerRun) => {
    const attempt = orders.push(given.order);
    const onWrite = (write: NotedWrite): void => {
      given.onWrite?.(write);
      const objects = [...new Map([...stored, [write.seq, write]]).values()].filter(
        ({ cleaned, object }) => !cleaned && object,
      ).length;
      disturb({ attempt, objects, cancel: () => cancelled.abort("removed") });
    };
    return runScanner(
      { ...given, onWrite },
      { program: SCANNER, node: process.execPath, graceMs: 60_000, outcomes, onStderr: () => {} },
    );
  };
  const result = await executeScan({ id: "shop", attempts: 1, mode: "active" } as ScanRow, cancelled.signal, {
    work: { progress: async () => {} },
    scanWrites: {
      note: async (_, writes) => writes.forEach((write) => stored.set(write.seq, write)),
      resumptionOf: async (): Promise<Resumption> => ({ seed: SEED, writes: [...stored.values()] }),
    },
    order: async () => ({ order: orderFor(demo) }),
    run,
    retryDelayMs: 1,
  });
  const changes = changesBetween(before, demo.shopState());
  await demo.close();
  return { result, changes, orders, writes: [...stored.values()] };
}

const LIMITS = { deadlineSeconds: 200, maxRequests: 1_500 };
const orderFor = (demo: Demo): ScanOrder =>
  shopOrder(demo, { mode: "active", limits: LIMITS, extraCa: tls.caPem });

/** The scanner that this test process has started. */
const kill = (): void => {
  const pids = execFileSync("pgrep", ["-P", String(process.pid), "-f", SCANNER.file], { encoding: "utf8" });
  for (const pid of pids.trim().split("\n")) process.kill(Number(pid), "SIGKILL");
};

const NOTHING = { changed: [], deleted: [], created: [] };

describe("an active scan of the shop", () => {
  test(
    "whose scanner is killed is cleaned up by the second attempt, as the users that the first registered",
    async () => {
      let isKilled = false;
      const { result, changes, orders, writes } = await executed(({ attempt, objects }) => {
        if (attempt > 1 || objects < 4 || isKilled) return;
        isKilled = true;
        kill();
      });
      expect(orders).toHaveLength(2);
      const noted = orders[1]!.resumption!.writes;
      expect(noted.filter(({ cleaned, object }) => !cleaned && object).length).toBeGreaterThanOrEqual(4);
      expect(result).toMatchObject({ step: "record", outcome: { status: "completed" } });
      expect(changes).toEqual(NOTHING);
      expect(writes.filter(({ cleaned }) => !cleaned)).toEqual([]);
      expect(JSON.stringify(writes)).not.toMatch(/Bearer|Gb-/);
    },
    TIMED_OUT,
  );

  test(
    "whose scanner is killed in every attempt is cleaned up by a run that does nothing else",
    async () => {
      const killed = new Set<number>();
      const { result, changes, orders } = await executed(({ attempt, objects }) => {
        if (attempt > 3 || objects < 4 || killed.has(attempt)) return;
        killed.add(attempt);
        kill();
      });
      expect(orders.map(({ resumption }) => resumption?.cleanUpOnly)).toEqual([
        ...[undefined, undefined, undefined],
        true,
      ]);
      expect(result).toMatchObject({ outcome: { status: "failed", failure: { code: "scanner_crashed" } } });
      expect(changes).toEqual(NOTHING);
    },
    TIMED_OUT,
  );

  test(
    "that is cancelled is cleaned up before its scanner ends",
    async () => {
      const { result, changes } = await executed(({ objects, cancel }) => objects >= 4 && cancel());
      expect(result).toEqual({ step: "forget" });
      expect(changes).toEqual(NOTHING);
    },
    TIMED_OUT,
  );
});
