import { ANNOTATIONS, MAX_SCHEDULE_NAME, type ScheduleManifest, type ScheduleResource } from "@glovebox/k8s";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideDiscovery, type DiscoveryPlan, type DiscoveryWorld } from "./decide.ts";

const MAX_HOSTS = 10;

const NOW = new Date("2027-01-01T12:00:00Z");
const enabled = { labels: { "glovebox.dev/discovery": "enabled" }, account: "shop", targets: undefined };

/** An annotated Ingress of a.example in an enabled namespace, unless told otherwise. */
function world(
  annotation: string | undefined = "daily",
  changes: Partial<DiscoveryWorld> = {},
): DiscoveryWorld {
  const annotations = annotation === "" ? {} : { [ANNOTATIONS.scanSchedule]: annotation };
  return {
    now: NOW,
    kind: "Ingress",
    apiVersion: "networking.k8s.io/v1",
    object: {
      metadata: { name: "shop", namespace: "team-a", uid: "ingress-uid", annotations },
      spec: { rules: [{ host: "a.example" }], tls: [{}] },
    },
    namespace: enabled,
    schedules: [],
    refusal: () => undefined,
    ...changes,
  };
}
const created = ({ actions }: DiscoveryPlan): ScheduleManifest[] =>
  actions.flatMap((action) => (action.do === "create" ? [action.schedule] : []));
const held = (schedule: ScheduleManifest): ScheduleResource => ({
  ...schedule,
  metadata: {
    ...schedule.metadata,
    uid: `uid-of-${schedule.metadata.name}`,
    generation: 1,
    creationTimestamp: NOW.toISOString(),
  },
});
const reasons = ({ notes }: DiscoveryPlan) => notes.map(({ reason }) => reason);
const existing = created(decideDiscovery(world())).map(held);

describe("an annotated Ingress", () => {
  test("gets a schedule for its host, which it owns and is deleted with", () => {
    expect(created(decideDiscovery(world()))).toMatchObject([
      {
        metadata: {
          name: expect.stringMatching(/^ingress-shop-[0-9a-f]{8}$/),
          namespace: "team-a",
          ownerReferences: [
            {
              apiVersion: "networking.k8s.io/v1",
              kind: "Ingress",
              name: "shop",
              uid: "ingress-uid",
              controller: true,
            },
          ],
        },
        spec: { scanTemplate: { spec: { url: "https://a.example/" } } },
      },
    ]);
  });

  test("an annotated Ingress that has its schedule needs nothing", () => {
    expect(decideDiscovery(world("daily", { schedules: existing }))).toEqual({ actions: [], notes: [] });
  });

  test.each([
    ["hourly", "0 * * * *", 3000],
    ["daily", "0 2 * * *", 3600],
    [" weekly ", "0 2 * * 0", 3600],
    ["30 4 * * 1-5", "30 4 * * 1-5", 0],
  ])(
    "an annotated Ingress with %j runs at %j, up to %i seconds later",
    (annotation, schedule, jitterSeconds) => {
      expect(created(decideDiscovery(world(annotation)))[0]!.spec).toMatchObject({ schedule, jitterSeconds });
    },
  );

  test("an annotated Ingress whose annotation changes has its schedule changed, and what else somebody set in it stays", () => {
    const { actions } = decideDiscovery(world("weekly", { schedules: existing }));
    expect(actions).toEqual([
      {
        do: "patch",
        name: existing[0]!.metadata.name,
        spec: {
          schedule: "0 2 * * 0",
          jitterSeconds: 3600,
          timeZone: "Etc/UTC",
          scanTemplate: { spec: { url: "https://a.example/" } },
        },
      },
    ]);
  });

  test("an annotated Ingress with a revision has it in its schedule, and a new one is written there", () => {
    const of = (revision: string): DiscoveryWorld["object"] => {
      const { metadata, ...rest } = world().object;
      const annotations = { ...metadata?.annotations, "glovebox.dev/revision": revision };
      return { ...rest, metadata: { ...metadata, annotations } };
    };
    const schedules = created(decideDiscovery(world("daily", { object: of(" v1 ") }))).map(held);
    expect(schedules[0]!.spec.revision).toBe("v1");
    expect(decideDiscovery(world("daily", { object: of("v1"), schedules })).actions).toEqual([]);
    const { actions } = decideDiscovery(world("daily", { object: of("v2"), schedules }));
    expect(actions).toMatchObject([{ do: "patch", spec: { revision: "v2" } }]);
  });

  test("an annotated Ingress whose host changes has a new schedule instead of the old one", () => {
    const object = { ...world().object, spec: { rules: [{ host: "b.example" }], tls: [{}] } };
    const plan = decideDiscovery(world("daily", { object, schedules: existing }));
    expect(created(plan).map(({ spec }) => spec.scanTemplate.spec.url)).toEqual(["https://b.example/"]);
    expect(plan.actions).toContainEqual({
      do: "delete",
      name: existing[0]!.metadata.name,
      uid: existing[0]!.metadata.uid,
    });
  });

  test(`an annotated Ingress with more hosts than ${MAX_HOSTS} has schedules for the first, and an event says so`, () => {
    const rules = Array.from({ length: MAX_HOSTS + 1 }, (_, index) => ({ host: `h${index}.example` }));
    const plan = decideDiscovery(
      world("daily", { object: { ...world().object, spec: { rules, tls: [{}] } } }),
    );
    expect(created(plan)).toHaveLength(MAX_HOSTS);
    expect(plan.notes).toEqual([
      { reason: "TooManyHosts", note: "Only the first 10 of 11 hosts are scanned." },
    ]);
  });
});

describe("no schedule is made, and one that exists is deleted,", () => {
  const { labels: _, ...rest } = enabled;
  test.each<[string, DiscoveryWorld, string[]]>([
    ["without the annotation", world(""), []],
    ["in a namespace without the label", world("daily", { namespace: { ...rest, labels: {} } }), []],
    [
      "in a namespace whose label has another value",
      world("daily", { namespace: { ...rest, labels: { "glovebox.dev/discovery": "true" } } }),
      [],
    ],
    ["for a bad annotation", world("dayly"), ["InvalidSchedule"]],
    ["for a cron expression that runs too often", world("* * * * *"), ["InvalidSchedule"]],
    ["for the name of something else", world("constructor"), ["InvalidSchedule"]],
    [
      "without an account",
      world("daily", { namespace: { ...enabled, account: undefined } }),
      ["AccountMissing"],
    ],
    [
      "without a host for HTTPS",
      world("daily", { object: { ...world().object, spec: { rules: [{ host: "a.example" }] } } }),
      ["NoHost"],
    ],
    [
      "for a host that the namespace may not scan",
      world("daily", { namespace: { ...enabled, targets: ["*.team-a.example"] } }),
      ["TargetNotAllowed"],
    ],
    [
      "for a host that the settings refuse",
      world("daily", { refusal: () => "local name" }),
      ["TargetNotAllowed"],
    ],
  ])("%s: events %j", (__, given, expected) => {
    const plan = decideDiscovery({ ...given, schedules: existing });
    expect(plan.actions.map((action) => action.do)).toEqual(["delete"]);
    expect(reasons(plan)).toEqual(expected);
    expect(decideDiscovery(given).actions).toEqual([]);
  });

  test("no schedule is made, and one that exists is deleted, with the annotation of release 0.3 gets its schedule, and the annotation of today goes before it", () => {
    const object = (annotations: Record<string, string>) => ({
      ...world().object,
      metadata: { ...world().object.metadata, annotations },
    });
    const schedules = (annotations: Record<string, string>) =>
      created(decideDiscovery(world("", { object: object(annotations) }))).map(({ spec }) => spec.schedule);
    const former = { [ANNOTATIONS.formerScanSchedule]: "hourly" };
    expect(schedules(former)).toEqual(["0 * * * *"]);
    expect(schedules({ ...former, [ANNOTATIONS.scanSchedule]: "daily" })).toEqual(["0 2 * * *"]);
  });

  test("no schedule is made, and one that exists is deleted, and the event names the annotation, its value and what is wrong with it", () => {
    expect(decideDiscovery(world("dayly")).notes[0]!.note).toBe(
      'glovebox.dev/scan-schedule: must be hourly, daily, weekly or a cron expression, and "dayly" must have five fields of a cron expression.',
    );
  });
});

test("with any names, schedules have valid names of at most 52 characters, different for each host, and one look settles", () => {
  const name = fc.stringMatching(/^[a-z0-9]([-.a-z0-9]{0,80}[a-z0-9])?$/);
  const hosts = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}\.example$/), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(name, hosts, (object, all) => {
      const metadata = { ...world().object.metadata, name: object };
      const given = world("daily", {
        object: { metadata, spec: { rules: all.map((host) => ({ host })), tls: [{}] } },
      });
      const schedules = created(decideDiscovery(given)).map(held);
      const names = schedules.map((schedule) => schedule.metadata.name);
      expect(new Set(names).size).toBe(all.length);
      for (const one of names) {
        expect(one).toMatch(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
        expect(one.length).toBeLessThanOrEqual(MAX_SCHEDULE_NAME);
      }
      expect(decideDiscovery({ ...given, schedules })).toEqual({ actions: [], notes: [] });
    }),
  );
});
