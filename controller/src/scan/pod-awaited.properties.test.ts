import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jobDeadlineSeconds } from "./settings.ts";
import { SimulatedCluster } from "./testing/simulated-cluster.ts";
import { processing, settings } from "./testing/worlds.ts";

const deadline = jobDeadlineSeconds(settings);
// Jobs a second that a Job controller with stock settings (5 workers, 20 requests a second) begins at least.
const JOBS_PER_SECOND = 4;

describe("a Job", () => {
  test("that gets no pod for good fails within a bound, at its first attempt, and says what keeps it", () => {
    const cluster = new SimulatedCluster(processing);
    cluster.createsPods = false;
    for (let round = 0; round < 60 && !cluster.isFinished; round++) {
      cluster.seeAll();
      cluster.reconcile();
      cluster.tick(15, deadline);
    }
    const message = "The scanner could not be started. The reason is NoPodCreated: exceeded quota: pods";
    expect(cluster.row).toEqual({ state: "failed", failure: { code: "could_not_start", message } });
    expect(cluster).toMatchObject({ recorded: 1, givenBack: 1, broken: [] });
    expect([...cluster.jobs.keys()]).toEqual([1]);
  });

  test("behind hundreds of others waits for its pod, however late it comes, and is carried out at its first attempt", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (place) => {
        const cluster = new SimulatedCluster(processing);
        cluster.createsPods = false;
        for (let passed = 0; !cluster.isFinished && passed < 2_000; passed += 5) {
          cluster.seeAll();
          cluster.reconcile();
          cluster.createsPods = passed >= place / JOBS_PER_SECOND;
          cluster.tick(5, deadline);
          if (passed > place / JOBS_PER_SECOND + settings.limits.deadlineSeconds)
            cluster.changeJob((job) => ({ ...job, ended: { how: "complete" } }));
        }
        expect(cluster.row.state).toBe("completed");
        expect([...cluster.jobs.keys()]).toEqual([1]);
        expect(cluster.broken).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
