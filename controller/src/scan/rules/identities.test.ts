import { API_NAME, identitiesSecretName, LABELS } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { FAILED, failureRecorded, namesOf } from "../testing/plans.ts";
import { at, completeJob, SCAN_ID, scanResource, isolated, withJob, world } from "../testing/worlds.ts";
import type { World } from "../world.ts";

const OWN = identitiesSecretName(SCAN_ID);
const OF_ANOTHER = identitiesSecretName("scan-01kahr5zn8v3mwf2c7d9e4x6bz");

/** A Scan that names the Secret: applied by a user, or created by the API for this scan. */
function scanWith(secret: string, { by, namespace }: { by?: "api"; namespace?: string } = {}) {
  const { metadata, spec, ...scan } = scanResource(undefined, namespace);
  const labels = { [LABELS.managedBy]: API_NAME };
  return {
    ...scan,
    metadata: { ...metadata, ...(by && { labels }) },
    spec: { ...spec, identitiesSecretRef: { name: secret } },
  };
}
const absent = { row: { state: "absent" } } as const;
const ofTeam = (allowed: readonly string[], secret = "shop-users"): Partial<World> => ({
  scan: scanWith(secret, { namespace: "team-a" }),
  allowedSecrets: new Set(allowed),
});
const mountedBy = (changes: Partial<World>) =>
  decide(world({ attempts: [isolated()], ...changes })).actions.find(
    (action) => "do" in action && action.do === "createJob",
  )?.identitiesSecret;

describe("the Secret that a Scan names", () => {
  test.each<[string, Partial<World>]>([
    ["a Secret of the scan namespace, in a Scan applied there", { scan: scanWith("shop-users") }],
    ["a Secret that the namespace of a team lists", ofTeam(["other", "shop-users"])],
  ])("the Secret that a Scan names is mounted by its Job and costs one scan, if it is %s", (_, changes) => {
    expect(decide(world({ ...absent, ...changes })).rule).toBe("adopt");
    expect(mountedBy(changes)).toBe("shop-users");
  });

  test("the Secret that a Scan names is mounted if the API created it for this scan", () => {
    expect(mountedBy({ scan: scanWith(OWN, { by: "api" }) })).toBe(OWN);
  });

  test("the Job of a Scan that names no Secret mounts none", () => {
    expect(decide(world({ attempts: [isolated()] })).rule).toBe("startJob");
    expect(mountedBy({})).toBeUndefined();
  });

  const notListed =
    "The annotation glovebox.dev/identities of the namespace team-a does not list the Secret shop-users.";
  const refusals: [string, Partial<World>, string][] = [
    ["it is not listed by the namespace of a team", ofTeam(["shop", "users"]), notListed],
    ["the namespace of a team lists none", ofTeam([]), notListed],
    [
      "the API created it for another scan",
      { scan: scanWith(OF_ANOTHER) },
      `The Secret ${OF_ANOTHER} is for another scan.`,
    ],
    [
      "the API created it for another scan, whatever the namespace of a team lists",
      ofTeam([OF_ANOTHER], OF_ANOTHER),
      `The Secret ${OF_ANOTHER} is for another scan.`,
    ],
    [
      "the Scan has the id of the scan and was not created by the API",
      { scan: scanWith(OWN) },
      `The Secret ${OWN} is for another scan.`,
    ],
    [
      "the Scan has the id and the label of the scan and is in another namespace",
      { scan: scanWith(OWN, { by: "api", namespace: "team-a" }) },
      `The Secret ${OWN} is for another scan.`,
    ],
  ];

  /** A Scan that says that the API created it had a row: without one, it waits for that first. */
  const neverOnRecord = refusals.filter(([, { scan }]) => !scan?.metadata.labels);
  test.each(neverOnRecord)(
    "the Secret that a Scan names is refused before anybody is charged, if %s",
    (_, changes, message) => {
      expect(decide(world({ ...absent, ...changes })).actions).toMatchObject([
        {
          do: "patchStatus",
          status: {
            phase: "Failed",
            conditions: [
              { type: "Accepted", status: "False", reason: "IdentitiesNotAllowed", message },
              ...FAILED,
            ],
          },
        },
      ]);
    },
  );

  test.each(refusals)(
    "the Secret that a Scan names is never mounted, and the scan fails refunded, if %s",
    (_, changes, message) => {
      const plan = decide(world({ attempts: [isolated()], ...changes }));
      expect(plan.rule).toBe("identitiesWithdrawn");
      expect(plan.actions).toEqual(failureRecorded("could_not_start", message));
    },
  );

  test("the Secret that a Scan names is not looked at again while the Job runs, which has it", () => {
    const attempts = [withJob({}, [{ isRunning: true }])];
    expect(decide(world({ ...ofTeam([]), attempts })).rule).toBe("jobRunning");
  });
});

describe("the Secret that the API created for a scan", () => {
  const own = { scan: scanWith(OWN, { by: "api" }) };
  const deletion = { do: "deleteIdentities", secret: OWN };

  test.each<[string, Partial<World>]>([
    ["completed", { row: { state: "completed", score: 88, grade: "B", findings: 3 } }],
    ["failed", { row: { state: "failed", failure: { code: "target_timeout", message: "" } } }],
    ["was cancelled", { row: { state: "failed", failure: { code: "cancelled", message: "" } } }],
    [
      "was cancelled, and somebody's finalizer keeps its Scan",
      { isDeleted: true, row: { state: "failed", failure: { code: "cancelled", message: "" } } },
    ],
  ])(
    "the Secret that the API created for a scan is deleted before the status says that the scan %s",
    (_, changes) => {
      const { actions } = decide(world({ ...own, attempts: [completeJob()], ...changes }));
      expect(actions[0]).toEqual(deletion);
      expect(namesOf(actions)).toEqual(["deleteIdentities", "patchStatus"]);
    },
  );

  test("the Secret that the API created for a scan is deleted with a scan whose row is gone for good", () => {
    const since = {
      type: "ReportRecorded",
      status: "Unknown",
      reason: "RecordMissing",
      message: "",
    } as const;
    const scan = {
      ...own.scan,
      status: { conditions: [{ ...since, lastTransitionTime: at(0).toISOString() }] },
    };
    expect(decide(world({ ...absent, scan, now: at(601) })).actions[0]).toEqual(deletion);
  });

  test("the Secret that the API created for a scan is left to Kubernetes when the Scan, which owns it, is gone", () => {
    const gone = { isDeleted: true, isRemoved: true } as const;
    const cancelled = { state: "failed", failure: { code: "cancelled", message: "" } } as const;
    expect(decide(world({ ...own, ...gone, row: cancelled })).actions).toEqual([]);
  });

  test("stays between two attempts", () => {
    const { actions } = decide(
      world({
        ...own,
        attempts: [withJob({ ended: { how: "failed", reason: "PodFailurePolicy", message: "" } })],
      }),
    );
    expect(namesOf(actions)).toEqual(["patchStatus", "deleteAttempt"]);
  });
});

test.each<[string, Partial<World>]>([
  ["of a user", { scan: scanWith("shop-users") }],
  ["that a team may use", ofTeam(["shop-users"])],
  ["of another scan, in a Scan that was refused it", { scan: scanWith(OF_ANOTHER) }],
])("a Secret %s is not deleted when the scan ends", (_, changes) => {
  const row = { state: "failed", failure: { code: "could_not_start", message: "" } } as const;
  const { actions } = decide(world({ ...changes, row }));
  expect(namesOf(actions)).toEqual(["patchStatus"]);
});
