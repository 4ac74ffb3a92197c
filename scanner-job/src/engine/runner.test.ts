import type { Severity } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { NetworkError } from "../transport/network-error.ts";
import { aCheck, anOperation, aResponse, aTargetProfile } from "../testing/samples.ts";
import { fail, inconclusive, interrupted, notApplicable, pass, type Check, type Verdict } from "./check.ts";
import type { Probe, Recorded, RecordedProbe } from "./probe.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { runChecks } from "./runner.ts";
import type { Result } from "./result.ts";
import { createSupervisor, type TargetHealth } from "./supervisor.ts";

/** A probe whose every request gets the same response; what matters here is what the runner makes of the verdicts. */
function probe(body = ""): RecordedProbe {
  const exchanges: Recorded[] = [];
  const sendAs = (role: Recorded["role"]) => (request: Recorded["request"]) => {
    const response = aResponse({ request, body });
    exchanges.push({ role, request, response });
    return Promise.resolve(response);
  };
  return {
    probe: { attack: sendAs("attack"), control: sendAs("control") } as Probe,
    exchanges,
    lostRequests: [],
    hasReadCut: () => exchanges.some(({ response }) => response.isReadCut),
    sent: () => exchanges.length,
  };
}

const run = async (check: Check | readonly Check[], deps: Partial<RunnerDeps> = {}) => {
  const { results } = await runChecks({
    profile: aTargetProfile(),
    checks: Array.isArray(check) ? check : [check as Check],
    probe: () => probe(),
    isRead: () => true,
    supervisor: supervising(() => "healthy"),
    onProgress: () => {},
    budget: () => ({ requests: 1, time: 1 }),
    maxPerOperation: 60,
    crashes: { areTooMany: () => false, confirm: () => Promise.resolve([]) },
    isPaused: () => false,
    onFault: () => {},
    ...deps,
  });
  return results;
};

const supervising = (health: () => TargetHealth) =>
  createSupervisor({
    health: () => Promise.resolve(health()),
    recover: () => Promise.resolve("unresponsive"),
  });

const request = { method: "GET", url: "https://api.example/" };

/** A check that returns these verdicts, one per examination. */
const checkThatSays = (...verdicts: Verdict[]): Check =>
  aCheck({
    async examine(_, { attack, control }) {
      await control(request);
      await attack(request);
      return verdicts.shift()!;
    },
  });

describe("runChecks", () => {
  it("reports what fails in both examinations, with the attack of the second as the repeat", async () => {
    const [result] = await run(checkThatSays(fail("Seen."), fail("Seen again.")));
    expect(result!.finding).toMatchObject({ observed: "Seen.", explanation: "Something is wrong." });
    expect(result!.finding?.evidence.exchanges.map(({ role }) => role)).toEqual([
      "control",
      "attack",
      "repeat",
    ]);
  });

  it.each([
    ["passes", pass(), { cause: "not_reproduced" }],
    ["is inconclusive", inconclusive("Unclear."), { cause: "undecided", reason: "Unclear." }],
    ["reaches a limit", interrupted("requests"), { cause: "requests" }],
  ] as const)("reports nothing when the second examination %s", async (_, second, why) => {
    const [result] = await run(checkThatSays(fail("Seen."), second));
    expect(result).toMatchObject({ verdict: { outcome: "inconclusive", ...why } });
    expect(result!.finding).toBeUndefined();
  });

  it("runChecks is inconclusive on a network error, never a pass", async () => {
    const [result] = await run(
      aCheck({ examine: () => Promise.reject(new NetworkError("reset", "The connection was cut")) }),
    );
    expect(result!.verdict).toEqual({
      outcome: "inconclusive",
      cause: "no_response",
      reason: "The connection was cut.",
    });
  });

  it.each([
    ["passed", pass()],
    ["failed", fail("Seen.")],
    ["did not apply", notApplicable("Nothing to test.")],
  ])(
    "runChecks is inconclusive where a check that %s read a response that had been cut",
    async (_, verdict) => {
      const cutBefore = aCheck({
        async examine(_, { attack, control }) {
          await control({ method: "GET", url: "https://api.example/control" });
          const response = await attack({ method: "GET", url: "https://api.example/long" });
          response.cut();
          expect(response.body).toHaveLength(2_048);
          return verdict;
        },
      });
      const [result] = await run(cutBefore, { probe: () => probe("a".repeat(10_000)) });
      expect(result!.verdict).toEqual(interrupted("response_cut"));
      expect(result!.finding).toBeUndefined();
    },
  );

  it("passes where a response was cut after the check had read it", async () => {
    const cutAfter = aCheck({
      async examine(_, { attack }) {
        const response = await attack({ method: "GET", url: "https://api.example/long" });
        expect(response.body).toHaveLength(10_000);
        response.cut();
        return pass();
      },
    });
    const [result] = await run(cutAfter, { probe: () => probe("a".repeat(10_000)) });
    expect(result!.verdict).toEqual(pass());
  });

  it("continues after an error thrown by a check, and reports it", async () => {
    const faults: unknown[] = [];
    const broken = aCheck({ examine: () => Promise.reject(new TypeError("no such property")) });
    const results = await run([broken, aCheck()], { onFault: (_, error) => faults.push(error) });
    expect(results.map(({ verdict }) => verdict.outcome)).toEqual(["inconclusive", "pass"]);
    expect(faults).toHaveLength(1);
  });

  it("rejects a finding without a control", async () => {
    const faults: unknown[] = [];
    const [result] = await run(aCheck({ examine: () => Promise.resolve(fail("Seen.")) }), {
      onFault: (_, error) => faults.push(error),
    });
    expect(result!.verdict.outcome).toBe("inconclusive");
    expect(String(faults[0])).toContain("without a control");
  });

  it("discards the results since the last successful health check, and all later ones", async () => {
    const subjects = Array.from({ length: 60 }, (_, index) => ({
      location: { method: "GET", path: `/${index}` },
    }));
    const health: TargetHealth[] = ["healthy", "unresponsive"];
    const results = await run(aCheck({ subjects: () => subjects }), {
      supervisor: supervising(() => health.shift()!),
    });
    expect(results).toHaveLength(60);
    expect(new Set(results.map(({ verdict }) => verdict.outcome))).toEqual(new Set(["inconclusive"]));
  });

  it("examines nothing when the target blocks before the first check", async () => {
    let examined = 0;
    const check = aCheck({ examine: () => (examined++, Promise.resolve(pass())) });
    const [result] = await run(check, { supervisor: supervising(() => "blocking") });
    expect([examined, result!.verdict.outcome]).toEqual([0, "inconclusive"]);
  });

  it("leaves out what is not examined yet once the target has crashed too often, and confirms the crashes", async () => {
    let [examined, confirmed] = [0, 0];
    const check = aCheck({
      subjects: () =>
        Array.from({ length: 200 }, (_, index) => ({ location: { method: "GET", path: `/${index}` } })),
      examine: () => (examined++, Promise.resolve(pass())),
    });
    const results = await run([check, aCheck({ id: "rate-limiting/burst", kind: "burst" })], {
      crashes: {
        areTooMany: () => examined >= 10,
        confirm: () => (confirmed++, Promise.resolve([])),
      },
    });
    expect(results).toHaveLength(201);
    expect(examined).toBeLessThan(50);
    expect(confirmed).toBeGreaterThan(0);
    const causes = results.flatMap(({ verdict }) => ("cause" in verdict ? [verdict.cause] : []));
    expect(new Set(causes)).toEqual(new Set(["crashes"]));
  });

  it("gives all examinations of a check one memory in each scan", async () => {
    const seen: number[] = [];
    const counting = aCheck({
      subjects: () => ["/a", "/b"].map((path) => ({ location: { method: "GET", path } })),
      memory: () => ({ examined: 0 }),
      examine(_, __, memory) {
        seen.push(++(memory as { examined: number }).examined);
        return Promise.resolve(pass());
      },
    });
    await run(counting);
    await run(counting);
    expect(seen).toEqual([1, 2, 1, 2]);
  });

  it("runs bursts after everything else", async () => {
    const order: string[] = [];
    const named = (id: string, kind: "burst" | "differential" = "differential") =>
      aCheck({ id, kind, examine: () => (order.push(id), Promise.resolve(pass())) });
    await run([named("rate-limiting/burst", "burst"), named("a/one"), named("b/two")]);
    expect(order.at(-1)).toBe("rate-limiting/burst");
  });

  it("examines alone, after everything else, what a first look leaves open, and nothing else", async () => {
    const [open, closed] = ["/open", "/closed"].map((path) => ({ location: { method: "GET", path } }));
    const order: string[] = [];
    let underWay = 0;
    const timed = aCheck({
      id: "x/timed",
      kind: "timed",
      subjects: () => [open!, closed!],
      screen: ({ location }) => Promise.resolve(location.path === "/open" ? undefined : pass()),
      examine({ location }) {
        order.push(`${location.path} beside ${underWay}`);
        return Promise.resolve(pass());
      },
    });
    const other = aCheck({
      async examine() {
        underWay++;
        await Promise.resolve();
        underWay--;
        order.push("other");
        return pass();
      },
    });
    const results = await run([timed, other]);
    expect(order).toEqual(["other", "/open beside 0"]);
    expect(results.map(({ subject }) => subject.location.path).toSorted()).toEqual(["/", "/closed", "/open"]);
  });

  describe("for one operation", () => {
    const operation = anOperation();
    let sent = 0;
    /** Eleven requests in each examination. */
    const looking = (id: string, severity: Severity): Check =>
      aCheck({
        id,
        severity,
        cost: 22,
        subjects: () => [operation],
        async examine(_, { attack, control }) {
          for (let times = 0; times < 10; times++) await control(request);
          await attack(request);
          return fail("Seen.");
        },
      });
    const limited = (
      checks: readonly Check[],
      maxPerOperation: number | undefined,
      deps: Partial<RunnerDeps> = {},
    ) => {
      sent = 0;
      return run(checks, {
        ...deps,
        maxPerOperation,
        probe: ({ admit }) => {
          const made = probe();
          const admitted =
            (send: Probe["attack"]): Probe["attack"] =>
            (each) => {
              admit();
              sent++;
              return send(each);
            };
          const { attack, control } = made.probe;
          return { ...made, probe: { ...made.probe, attack: admitted(attack), control: admitted(control) } };
        },
      });
    };

    it("no more than its share is sent beside confirmations, and nothing is reported of a test that is cut short", async () => {
      const results = await limited([looking("x/worse", "critical"), looking("x/other", "low")], 20);
      expect(sent).toBe(20 + 11);
      expect(results.map(({ check, verdict }) => `${check.id} ${verdict.outcome}`)).toEqual([
        "x/worse fail",
        "x/other inconclusive",
      ]);
    });

    it("what responses of other tests decide is decided beyond its share", async () => {
      const shared = aCheck({
        id: "x/shared",
        severity: "low",
        subjects: () => [operation],
        examine: () => Promise.resolve(pass()), // all that it asks for was sent by other tests
      });
      const results = await limited([looking("x/worse", "critical"), shared], 11);
      const outcomes = results.map(({ check, verdict }) => `${check.id} ${verdict.outcome}`);
      expect(outcomes).toContain("x/shared pass");
    });

    const many = Array.from({ length: 20 }, (_, index) => looking(`x/${index}`, "high"));
    const undecided = (results: readonly Result[]): number =>
      results.filter(({ verdict }) => verdict.outcome === "inconclusive").length;

    it.each<[string, number | undefined, number, number]>([
      ["is examined once everything else is", undefined, 1, 0],
      ["stays undecided where little time is left", undefined, 0.4, 12],
      ["stays undecided where a limit was given", 90, 1, 12],
    ])("what the default leaves out %s", async (_, limit, time, count) => {
      const results = await limited(many, limit, { budget: () => ({ requests: 1, time }) });
      expect(undecided(results)).toBe(count);
    });

    it("what was found is confirmed beyond its share", async () => {
      const [result] = await limited([looking("x/worse", "critical")], 11);
      expect([sent, result!.finding?.check]).toEqual([22, "x/worse"]);
    });
  });

  it("reports its progress, for each category, from 0 to all tasks", async () => {
    const seen: string[] = [];
    await run([aCheck(), aCheck({ category: "ssrf" })], {
      onProgress: (...told) => seen.push(told.join(" ")),
    });
    expect(seen).toEqual(["authentication 0 1", "ssrf 0 1", "authentication 1 1", "ssrf 1 1"]);
  });
});
