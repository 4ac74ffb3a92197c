import { describe, expect, it } from "vitest";
import { aCheck, anOperation } from "../testing/samples.ts";
import type { ExaminingCheck } from "./check.ts";
import type { Reach } from "./reach.ts";
import { declaredCost, priorityOf, type Learned } from "./priority.ts";
import { Schedule } from "./schedule.ts";

const learned = (parts: Partial<Learned> = {}): Learned => ({
  reachOf: () => "reached",
  isDecided: () => false,
  recordOf: () => ({ examined: 0, reported: 0 }),
  costOf: declaredCost,
  spentOn: () => 0,
  isInterpreted: () => false,
  ...parts,
});
const operation = anOperation();
const MAX = 60;
const LIMITS = { context: undefined, maxPerOperation: MAX };
const priority = (check: Partial<ExaminingCheck>, known: Partial<Learned> = {}): number =>
  priorityOf(
    { check: aCheck({ category: "inputValidation", ...check }), subject: operation },
    learned(known),
    undefined,
  );

describe("the priority of a task", () => {
  it.each<[string, number, number]>([
    ["a graver weakness", priority({ severity: "critical" }), priority({ severity: "low" })],
    ["a likelier subject", priority({ prior: () => 2 }), priority({})],
    ["fewer requests", priority({ cost: 1 }), priority({ cost: 10 })],
    ["a check that turns out to take fewer requests", priority({}, { costOf: () => 1 }), priority({})],
    ["what is not one of hundreds of files", priority({}), priority({ kind: "exposure" })],
    ["a category of which nothing is decided yet", priority({}), priority({}, { isDecided: () => true })],
    [
      "a check that has reported something here",
      priority({}, { recordOf: () => ({ examined: 20, reported: 5 }) }),
      priority({}, { recordOf: () => ({ examined: 20, reported: 0 }) }),
    ],
    ["an operation that responds", priority({}), priority({}, { reachOf: (): Reach => "refused" })],
  ])("the priority of a task is higher for %s", (_, higher, lower) => {
    expect(higher).toBeGreaterThan(lower);
  });

  it("the priority of a task does not fall for a check of refusals where the operation refuses", () => {
    const authentication: Partial<ExaminingCheck> = { category: "authentication" };
    expect(priority(authentication, { reachOf: (): Reach => "refused" })).toBe(priority(authentication));
  });
});

describe("an operation whose path is paused", () => {
  it("comes after all others, and is taken where nothing else is left", () => {
    const [paused, other] = [anOperation({ path: "/paused" }), anOperation({ path: "/other" })];
    const schedule = new Schedule(learned(), { ...LIMITS, isPaused: (each) => each === paused });
    const grave = aCheck({ severity: "critical" });
    schedule.add([paused, other].map((subject) => ({ check: grave, subject })));
    schedule.add([{ check: aCheck({ id: "x/passive", kind: "passive" }), subject: paused }]);
    schedule.add([{ check: aCheck({ id: "x/low", severity: "low" }), subject: other }]);
    const taken = Array.from({ length: 5 }, () => schedule.take()?.subject.location.path);
    expect(taken).toEqual(["/other", "/other", "/paused", "/paused", undefined]);
  });
});

describe("a value that may be interpreted", () => {
  const at = { ...operation, operation, location: { ...operation.location, parameter: "q" } };
  const injection = aCheck({ category: "inputValidation" });
  const isInterpreted: Learned["isInterpreted"] = ({ parameter }) => parameter === "q";
  const known = (parts: Partial<Learned>): Learned => learned({ isInterpreted, ...parts });

  it("a value that may be interpreted is worth more than others, also where the operation refuses", () => {
    const of = (subject: typeof at, reach: Reach): number =>
      priorityOf({ check: injection, subject }, known({ reachOf: () => reach }), undefined);
    const other = { ...at, location: { ...at.location, parameter: "p" } };
    expect(of(at, "refused")).toBe(of(at, "reached"));
    expect(of(at, "refused")).toBeGreaterThan(of(other, "reached"));
  });

  it("a value that may be interpreted is looked for at every insertion point before anything else is attacked", () => {
    const schedule = new Schedule(known({}), LIMITS);
    const opening = aCheck({ id: "x/opening", kind: "injection", severity: "low", opens: true });
    schedule.add([injection, opening].map((check) => ({ check, subject: operation })));
    expect(schedule.take()?.check.id).toBe("x/opening");
  });
});

describe("the schedule", () => {
  const paths = ["/a", "/b"].map((path) => anOperation({ path }));

  it("takes the task with the highest priority first, and of equals the one that was added first", () => {
    const [low, high] = [aCheck({ id: "x/low", severity: "low" }), aCheck({ id: "x/high" })];
    const schedule = new Schedule(learned(), LIMITS);
    schedule.add([low, high].flatMap((check) => paths.map((subject) => ({ check, subject }))));
    const taken = Array.from({ length: 4 }, () => schedule.take()!);
    expect(taken.map(({ check, subject }) => `${check.id} ${subject.location.path}`)).toEqual([
      "x/high /a",
      "x/high /b",
      "x/low /a",
      "x/low /b",
    ]);
    expect(schedule.take()).toBeUndefined();
  });

  it("adds a task once, however often it is planned, and keeps several subjects of one location apart", () => {
    const check = aCheck();
    const tasks = [paths[0]!, paths[0]!, paths[1]!].map((subject) => ({ check, subject }));
    const schedule = new Schedule(learned(), LIMITS);
    expect(schedule.add(tasks)).toHaveLength(3);
    expect(schedule.add(tasks)).toHaveLength(0);
  });

  it("takes passive tasks before active ones", () => {
    const schedule = new Schedule(learned(), LIMITS);
    schedule.add([{ check: aCheck({ severity: "critical" }), subject: operation }]);
    schedule.add([{ check: aCheck({ id: "x/passive", kind: "passive" }), subject: operation }]);
    expect(schedule.take()!.check.id).toBe("x/passive");
  });

  it("keeps back what an operation has no requests left for", () => {
    const schedule = new Schedule(learned({ spentOn: () => MAX }), LIMITS);
    schedule.add([{ check: aCheck({ category: "inputValidation" }), subject: operation }]);
    expect(schedule.take()).toBeUndefined();
    expect(schedule.takeRest()).toMatchObject({ overLimit: [{ subject: operation }], unaffordable: [] });
  });

  it("waits where the tasks under way may use up what is left for an operation, and takes others", () => {
    const [first, second] = [aCheck({ id: "x/first", cost: 2 }), aCheck({ id: "x/second", cost: 1 })];
    const spent = MAX - 2;
    const schedule = new Schedule(learned({ spentOn: () => spent }), LIMITS);
    schedule.add([{ check: first, subject: paths[0]! }]);
    const task = schedule.take()!;
    schedule.add(paths.map((subject) => ({ check: second, subject })));
    expect(schedule.take()!.subject).toBe(paths[1]);
    expect(schedule.take()).toBeUndefined();
    schedule.ended(task);
    expect(schedule.take()!.subject).toBe(paths[0]);
    expect(schedule.takeRest().overLimit).toEqual([]);
  });

  it("keeps room for others beside attacks on input", () => {
    const schedule = new Schedule(learned({ spentOn: () => MAX - 5 }), LIMITS);
    const [attack, other] = [
      aCheck({ id: "x/attack", category: "ssrf" }),
      aCheck({ id: "x/other", severity: "low" }),
    ];
    schedule.add([attack, other].map((check) => ({ check, subject: operation })));
    expect(schedule.take()?.check.id).toBe("x/other");
    expect(schedule.takeRest().overLimit.map(({ check }) => check.id)).toEqual(["x/attack"]);
  });

  it("takes up what was over the limit of an operation when the limit is widened", () => {
    const schedule = new Schedule(learned({ spentOn: () => MAX }), LIMITS);
    schedule.add([{ check: aCheck(), subject: operation }]);
    expect(schedule.take()).toBeUndefined();
    expect(schedule.widen()).toBe(true);
    expect(schedule.maxPerOperation).toBe(2 * MAX);
    expect(schedule.take()!.subject).toBe(operation);
    expect(schedule.widen()).toBe(false);
  });

  it("sorts thousands of tasks after many results, and tens after each", () => {
    const check = aCheck();
    const sortsOf = (tasks: number): number => {
      let asked = 0;
      const schedule = new Schedule(
        learned({ recordOf: () => (asked++, { examined: 0, reported: 0 }) }),
        LIMITS,
      );
      const subjects = Array.from({ length: tasks }, (_, index) => anOperation({ path: `/${index}` }));
      schedule.add(subjects.map((subject) => ({ check, subject })));
      for (let result = 0; result < 80; result += 1) schedule.learned(1);
      return asked / tasks - 1;
    };
    expect(sortsOf(40)).toBe(80);
    expect(sortsOf(4_000)).toBe(1);
  });

  it("returns the tasks that the budget left out", () => {
    const schedule = new Schedule(learned(), LIMITS);
    schedule.add(paths.map((subject) => ({ check: aCheck(), subject })));
    schedule.take();
    expect(schedule.takeRest().unaffordable).toHaveLength(1);
  });
});
