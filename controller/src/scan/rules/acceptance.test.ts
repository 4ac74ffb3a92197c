import { API_NAME, LABELS, type ScanSpec } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { FAILED, RECONCILING, statusWritten } from "../testing/plans.ts";
import { at, podSeen, SCAN_ID, scanResource, isolated, withJob, world } from "../testing/worlds.ts";

const unbound = { row: { state: "unbound" } } as const;
const ofOther = { row: { state: "ofAnother" } } as const;
const refused = {
  phase: "Failed",
  conditions: [{ type: "Accepted", status: "False", reason: "IdentityMismatch" }, ...FAILED],
};

describe("a Scan whose row has no Scan yet", () => {
  test("a Scan whose row has no Scan yet is noted for it first, also when it was deleted meanwhile", () => {
    const plan = { rule: "bind", actions: [{ do: "bind" }], decideAgain: true };
    expect(decide(world(unbound))).toEqual(plan);
    expect(decide(world({ ...unbound, isDeleted: true }))).toEqual(plan);
  });

  test("a Scan whose row has no Scan yet and which asks for something else is refused", () => {
    const { actions } = decide(world({ ...unbound, responses: { binding: "refused" } }));
    expect(actions).toMatchObject([{ do: "patchStatus", status: refused }]);
  });

  test("a Scan whose row has no Scan yet and which cannot be scanned as written is refused unasked", () => {
    const scan = { ...scanResource(), spec: { url: "https://a@b.example/" } };
    expect(decide(world({ ...unbound, scan })).actions).toMatchObject([{ status: refused }]);
  });
});

test("a Scan of another namespace than the API's that says that the API made it is not noted", () => {
  const { metadata, ...rest } = scanResource();
  const named = { ...metadata, namespace: "team-a", name: SCAN_ID };
  const labelled = { ...rest, metadata: { ...named, labels: { [LABELS.managedBy]: API_NAME } } };
  expect(decide(world({ ...unbound, scan: labelled })).actions).toMatchObject([{ status: refused }]);
  expect(decide(world({ ...unbound, scan: { ...rest, metadata: named } })).rule).toBe("bind");
});

describe("a Scan whose row is another's", () => {
  test("a Scan whose row is another's is refused, regardless of that one, and does not show its id", () => {
    const { rule, actions } = decide(world(ofOther));
    expect(rule).toBe("notItsRow");
    expect(actions).toMatchObject([{ do: "patchStatus", status: refused }]);
    expect(actions[0]).not.toHaveProperty("status.scanId");
  });

  test("stops nothing: what is seen under its id is the other's", () => {
    const pods = [{ number: 1, pods: [podSeen({ isRunning: true })] }];
    for (const attempts of [pods, [withJob()]])
      expect(decide(world({ ...ofOther, attempts })).actions).toMatchObject([{ status: refused }]);
  });

  test("cancels nothing when it is deleted", () => {
    expect(decide(world({ ...ofOther, isDeleted: true })).actions).toEqual([]);
    const responses = { binding: "refused" } as const;
    expect(decide(world({ ...unbound, isDeleted: true, responses })).actions).toEqual([]);
  });
});

const accepted = {
  type: "Accepted",
  status: "True",
  reason: "Charged",
  message: "",
  lastTransitionTime: at(0).toISOString(),
} as const;
const status = { conditions: [accepted] };
const absent = { row: { state: "absent" } } as const;
const missing = (seconds: number, changes = {}) =>
  world({ ...absent, now: at(seconds), status, attempts: [withJob()], ...changes });
const labelledByApi = {
  ...scanResource(),
  metadata: { ...scanResource().metadata, name: SCAN_ID, labels: { [LABELS.managedBy]: API_NAME } },
};

describe("a scan without its row", () => {
  test.each([0, 12, 59, 61, 3_600])(
    "a scan without its row is never taken for cancelled at an age of %i s, but waits",
    (seconds) => {
      expect(decide(missing(seconds))).toMatchObject({
        rule: "recordMissing",
        actions: [{ do: "patchStatus", status: { reason: "RecordMissing" } }],
        requeueAfterSeconds: 601,
      });
      expect(statusWritten(missing(seconds))).not.toHaveProperty("finishedAt");
    },
  );

  test.each<[string, Parameters<typeof world>[0]]>([
    ["that the API created, which it does after its row", { scan: labelledByApi }],
    ["that has an attempt", { attempts: [isolated()] }],
    ["that was accepted", { status }],
  ])("a scan without its row and %s is not accepted and charged again", (_, changes) => {
    expect(decide(world({ ...absent, ...changes })).rule).toBe("recordMissing");
  });

  test("waits for ten minutes from when that was noticed, regardless of what it waited for before", () => {
    const waitedForPod = {
      ...accepted,
      type: "ReportRecorded",
      status: "Unknown",
      reason: "NoPodCreated",
    } as const;
    const waiting = statusWritten(missing(500, { status: { conditions: [accepted, waitedForPod] } }))!;
    expect(waiting.message).toMatch(/no record of the scan.* within ten minutes/);
    expect(decide(missing(501, { status: waiting })).actions).toEqual([]);
    expect(decide(missing(1_099, { status: waiting }))).toMatchObject({
      actions: [],
      requeueAfterSeconds: 2,
    });
    expect(decide(missing(1_100, { status: waiting })).actions).not.toEqual([]);
  });

  test("goes on once its row is back", () => {
    const waiting = statusWritten(missing(20))!;
    expect(decide(world({ status: waiting, attempts: [isolated()] })).rule).toBe("startJob");
    const back = world({ status: waiting, attempts: [withJob({}, [{ isRunning: true }])] });
    expect(statusWritten(back)).toMatchObject({ phase: "Running", reason: "Charged" });
  });

  test("fails as RecordMissing when its row did not return, and what still runs is stopped", () => {
    const waiting = statusWritten(missing(20))!;
    expect(decide(missing(620, { status: waiting }))).toMatchObject({
      rule: "recordMissing",
      actions: [
        {
          do: "patchStatus",
          status: {
            phase: "Failed",
            reason: "RecordMissing",
            failure: { code: "result_lost", message: expect.stringContaining("was replaced or emptied") },
          },
        },
        { do: "deleteAttempt" },
      ],
    });
  });
});

test("a Scan that was never on record is adopted at any age", () => {
  const input = world({ ...absent, now: at(3_600), scan: scanResource() });
  expect(decide(input).rule).toBe("adopt");
});

const withSpec = (spec: ScanSpec) => world({ ...absent, scan: { ...scanResource(), spec } });

describe("a scan that is not on record", () => {
  test("a scan that is not on record is adopted first", () => {
    expect(decide(world(absent))).toEqual({ rule: "adopt", actions: [{ do: "adopt" }], decideAgain: true });
  });

  test.each(["AccountMissing", "AccountNotAllowed", "UnknownAccount", "QuotaExhausted"] as const)(
    "a scan that is not on record and is refused for %s ends with that condition and no Job",
    (refused) => {
      const { actions } = decide(world({ ...absent, responses: { adoption: { refused, message: "Why." } } }));
      expect(actions).toHaveLength(1);
      expect(actions[0]).toMatchObject({
        do: "patchStatus",
        status: {
          phase: "Failed",
          finishedAt: expect.any(String),
          conditions: [{ type: "Accepted", status: "False", reason: refused, message: "Why." }, ...FAILED],
        },
      });
    },
  );

  test.each<[string, ScanSpec, string]>([
    ["an address that is not an address", { url: "https://" }, "url: is not a valid URL"],
    ["a user name in it", { url: "https://a@b.example/" }, "url: must not carry a user name or password"],
    [
      "a document over FTP",
      { url: "https://b.example/", specUrl: "ftp://b.example/" },
      "specUrl: must be an https:// or http:// address",
    ],
  ])(
    "a scan that is not on record and has %s is refused by name of the field before anybody is charged",
    (_, spec, message) => {
      expect(decide(withSpec(spec)).actions).toMatchObject([
        { do: "patchStatus", status: { conditions: [{ reason: "InvalidTarget", message }, ...FAILED] } },
      ]);
    },
  );
});

test("a scan that the API put on record is accepted without being charged again", () => {
  const { actions } = decide(world({ slot: "waiting" }));
  expect(actions[0]).toMatchObject({
    do: "patchStatus",
    status: { conditions: [{ type: "Accepted", status: "True", reason: "Charged" }, {}, RECONCILING] },
  });
});
