import { isolationFailure, scanFailure } from "@glovebox/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanDeadlineSeconds } from "./settings.ts";
import { complete, deadline, delays, histories, type Step } from "./testing/histories.ts";
import { FAILED } from "./testing/plans.ts";
import { type FirstRow, Simulation, TAMPERINGS } from "./testing/simulation.ts";
import { settings } from "./testing/worlds.ts";

/** Jobs that a Job controller with stock settings (5 workers, 20 requests a second) begins at least. */
const JOBS_PER_SECOND = 4;

/** All that has happened is seen, and acted on. */
function look(simulation: Simulation): Promise<readonly string[]> {
  simulation.kubernetes.seeAll();
  return simulation.reconcile();
}

/** Undisturbed from now on: every event arrives, time passes, and Kubernetes ends what is past its deadline. */
async function settle(simulation: Simulation): Promise<void> {
  const rounds = Math.ceil(scanDeadlineSeconds(settings) / 2_000) + 20;
  for (let round = 0; round < rounds && !isOver(simulation); round++) {
    for (let turn = 0; turn < 3; turn++) await look(simulation);
    simulation.kubernetes.tick(2_000, deadline);
  }
}

const isOver = ({ isFinished, leftovers, row }: Simulation): boolean =>
  isFinished && leftovers === 0 && row?.status !== "processing";

async function play(steps: readonly Step[], row: FirstRow, namespace?: string): Promise<Simulation> {
  const simulation = new Simulation(row, namespace);
  for (const step of steps) await step(simulation);
  return simulation;
}

/** Looks until the scan is finished; what happens after each look is up to `between`. */
async function lookUntilFinished(
  simulation: Simulation,
  rounds: number,
  between: (round: number) => void,
): Promise<void> {
  for (let round = 0; round < rounds && !simulation.isFinished; round++) {
    await look(simulation);
    between(round);
  }
}

const attemptsOf = ({ kubernetes }: Simulation): number[] => [...kubernetes.jobs.keys()];
const conditionsOf = ({ kubernetes }: Simulation) => kubernetes.scan.live.status!.conditions;

describe("any history of a scan", () => {
  test("ends, is recorded, charged and refunded at most once, never has two live Jobs, and is not rewritten", async () => {
    const kinds = fc.constantFrom<FirstRow | "elsewhere">("byApi", "unnoted", "byHand", "elsewhere");
    await fc.assert(
      fc.asyncProperty(histories, kinds, async (steps, kind) => {
        const simulation =
          kind === "elsewhere" ? await play(steps, "byHand", "team-a") : await play(steps, kind);
        await settle(simulation);
        expect(simulation.broken).toEqual([]);
        expect(simulation.isFinished).toBe(true);
        expect(simulation.row?.status).not.toBe("processing");
        expect(simulation.leftovers).toBe(0);
      }),
      { numRuns: 2_000 },
    );
  }, 120_000);

  test("any history of a scan of a Scan whose row is another's changes nothing of that, makes nothing, and is refused", async () => {
    const notIts = fc.constantFrom<FirstRow>("ofAnother", "forSomethingElse");
    await fc.assert(
      fc.asyncProperty(histories, notIts, async (steps, row) => {
        const before = new Simulation(row).row;
        const simulation = await play(steps, row);
        await settle(simulation);
        expect(simulation.row).toEqual(before);
        expect(simulation).toMatchObject({ broken: [], recorded: [], leftovers: 0 });
        const { jobs, policies, scan } = simulation.kubernetes;
        expect([...jobs, ...policies]).toEqual([]);
        if (scan.live.exists)
          expect(conditionsOf(simulation)).toMatchObject([{ reason: "IdentityMismatch" }, ...FAILED]);
      }),
      { numRuns: 500 },
    );
  });

  test("any history of a scan whose scan has ended in the store ends in the same way in its status", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const simulation = await play(steps, "byApi");
        await settle(simulation);
        const { status, exists } = simulation.kubernetes.scan.live;
        if (exists)
          expect(status!.phase).toBe(simulation.row?.status === "completed" ? "Completed" : "Failed");
      }),
      { numRuns: 500 },
    );
  });

  test("any history of a scan in which events are late and nothing else is wrong takes one attempt, and its report is recorded", async () => {
    await fc.assert(
      fc.asyncProperty(delays, delays, async (before, after) => {
        const simulation = await play(before, "byHand");
        await look(simulation);
        await look(simulation);
        simulation.kubernetes.changeJob(complete());
        for (const step of after) await step(simulation);
        await settle(simulation);
        expect(simulation.row?.status).toBe("completed");
        expect(attemptsOf(simulation)).toEqual([1]);
      }),
      { numRuns: 500 },
    );
  });

  test("any history of a scan of lost reports only makes the attempts that are allowed, and then fails as lost", async () => {
    const simulation = await play([], "byApi");
    await lookUntilFinished(simulation, 60, () => simulation.kubernetes.changeJob(complete({ log: "cut" })));
    expect(simulation.row).toMatchObject({ status: "failed", failure: { code: "result_lost" } });
    expect(Math.max(...attemptsOf(simulation))).toBe(settings.maxAttempts);
    expect(simulation).toMatchObject({ recorded: [{}], refunded: 1, broken: [] });
  });

  test.each(Object.keys(TAMPERINGS))(
    "in which its policy meets the same in every attempt (%s) fails as seal_broken, regardless of what its pods report",
    async (how) => {
      const simulation = await play([], "byApi");
      const { kubernetes } = simulation;
      await lookUntilFinished(simulation, 60, () => {
        if (![...kubernetes.jobs.values()].some(({ live }) => live && !live.ended)) return;
        simulation.tamper(how);
        kubernetes.changeJob(complete());
      });
      expect(simulation.row).toMatchObject({ status: "failed", failure: { code: "seal_broken" } });
      expect(Math.max(...attemptsOf(simulation))).toBe(settings.maxAttempts);
      expect(simulation).toMatchObject({ recorded: [{}], refunded: 1, broken: [] });
      expect(conditionsOf(simulation)).toContainEqual(
        expect.objectContaining({ type: "Sealed", status: "False", reason: "SealBroken" }),
      );
    },
  );

  test("any history of a scan of lost canaries only makes the attempts that are allowed for that, and then fails as not proven", async () => {
    const simulation = await play([], "byApi");
    const lose = complete({ hasLostCanary: true });
    await lookUntilFinished(simulation, 60, () => simulation.kubernetes.changeJob(lose));
    expect(simulation.row).toMatchObject({
      status: "failed",
      failure: isolationFailure("CanaryLost", "The canary no longer responds."),
    });
    expect(Math.max(...attemptsOf(simulation))).toBe(settings.maxCanaryLosses + 1);
    expect(simulation).toMatchObject({ recorded: [{}], refunded: 1, broken: [] });
  });

  test("any history of a scan whose Jobs are refused permanently fails within a bound, at its first attempt, and says what refuses them", async () => {
    const simulation = await play([], "byApi");
    simulation.kubernetes.refusesJobs = true;
    await lookUntilFinished(simulation, 60, () => simulation.kubernetes.tick(15, deadline));
    expect(simulation.row).toMatchObject({
      status: "failed",
      failure: { code: "could_not_start", message: expect.stringContaining("exceeded quota") },
    });
    expect(simulation.kubernetes.scan.live.status).toMatchObject({ phase: "Failed", attempt: 1 });
    expect(simulation).toMatchObject({ recorded: [{}], refunded: 1, leftovers: 0, broken: [] });
  });

  test("any history of a scan whose Jobs are refused for a while runs afterwards, at its first attempt", async () => {
    const simulation = await play([], "byApi");
    const { kubernetes } = simulation;
    kubernetes.refusesJobs = true;
    await lookUntilFinished(simulation, 20, (round) => {
      kubernetes.tick(10, deadline);
      if (round === 5) kubernetes.refusesJobs = false;
      if (round === 8) kubernetes.changeJob(complete());
    });
    expect(simulation.row?.status).toBe("completed");
    expect(attemptsOf(simulation)).toEqual([1]);
    expect(conditionsOf(simulation)).toContainEqual(
      expect.objectContaining({ type: "ReportRecorded", status: "True", reason: "ReportReceived" }),
    );
  });

  test("any history of a scan without mishap takes three looks: a policy, a Job, its report", async () => {
    const simulation = await play([], "byHand");
    const rules: (readonly string[])[] = [];
    while (!simulation.isFinished && rules.length < 10) {
      rules.push(await look(simulation));
      if (rules.length === 2) simulation.kubernetes.changeJob(complete());
    }
    expect(rules).toEqual([
      ["adopt", "resolveTarget", "policyBeforePod"],
      ["startJob"],
      ["readReport", "attestCanary", "done", "reportRecorded"],
    ]);
    expect(simulation).toMatchObject({ charged: 1, recorded: [{}], refunded: 0 });
  });
});

describe("a Job", () => {
  test("a Job that never gets a pod fails within a bound, at its first attempt, and says what keeps it", async () => {
    const simulation = await play([], "byApi");
    simulation.kubernetes.createsPods = false;
    await lookUntilFinished(simulation, 60, () => simulation.kubernetes.tick(15, deadline));
    const failure = scanFailure("could_not_start", "Reason: NoPodCreated: exceeded quota: pods");
    expect(simulation.row).toMatchObject({ status: "failed", failure });
    expect(simulation).toMatchObject({ recorded: [{}], refunded: 1, broken: [] });
    expect(attemptsOf(simulation)).toEqual([1]);
  });

  test("behind hundreds of others waits for its pod, however late it comes, and runs at its first attempt", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2_000 }), async (position) => {
        const simulation = await play([], "byApi");
        const { kubernetes } = simulation;
        kubernetes.createsPods = false;
        await lookUntilFinished(simulation, 400, (round) => {
          const passed = round * 5;
          kubernetes.createsPods = passed >= position / JOBS_PER_SECOND;
          kubernetes.tick(5, deadline);
          if (passed > position / JOBS_PER_SECOND + settings.limits.deadlineSeconds)
            kubernetes.changeJob(complete());
        });
        expect(simulation.row?.status).toBe("completed");
        expect(attemptsOf(simulation)).toEqual([1]);
        expect(simulation.broken).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
