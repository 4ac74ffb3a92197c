import { describe, expect, it } from "vitest";
import crash from "../checks/rate-limiting/crash.ts";
import { anOperation, aResponse, aTargetProfile } from "../testing/samples.ts";
import type { Suspect } from "../transport/crash-suspects.ts";
import type { Trial } from "../transport/trial.ts";
import { CrashReporter } from "./crash.ts";

const operation = anOperation({ path: "/things" });
const control = aResponse({ request: operation.request() });
const crashed: Trial = { outcome: "crashed", control };

/** A crash of the operation at a quote in its parameter `q`. */
const suspect = (query: string): Suspect => ({
  request: { method: "GET", url: `https://api.example/things?${query}` },
  route: "GET /things",
  isDelayed: false,
  traits: [{ at: "query q", kind: "'" }],
});

/** A reporter of these suspects, of which a trial at the end has these outcomes. */
function reporterOf(suspects: Suspect[], trials: readonly Trial[]) {
  let tried = 0;
  const reporter = new CrashReporter([crash], {
    profile: aTargetProfile({ operations: [operation] }),
    transport: {
      send: () => Promise.resolve(control),
      lostConnections: {
        suspects,
        isExhausted: false,
        findCause: () => Promise.resolve(false),
        try: () => Promise.resolve(trials[tried++]!),
      },
    },
  });
  return { reporter, tried: () => tried };
}

describe("a suspected crash", () => {
  it("a suspected crash is reported at its parameter where the target crashes once more, with what was sent before as control", async () => {
    const { reporter } = reporterOf([suspect("q='")], [crashed]);
    const [result] = await reporter.confirm();
    expect(result!.finding).toMatchObject({ location: { method: "GET", path: "/things", parameter: "q" } });
    expect(result!.finding!.evidence.exchanges.map(({ role }) => role)).toEqual([
      "control",
      "attack",
      "repeat",
    ]);
  });

  it.each<Trial>([{ outcome: "responded", response: control }, { outcome: "cut" }, { outcome: "away" }])(
    "a suspected crash is inconclusive where the outcome at the end is %j",
    async (trial) => {
      const [result] = await reporterOf([suspect("q='")], [trial]).reporter.confirm();
      expect(result!.verdict.outcome).toBe("inconclusive");
      expect(result!.finding).toBeUndefined();
    },
  );

  it("a suspected crash is tried once, and not at all where the route is reported already", async () => {
    const suspects = [suspect("q='"), suspect('q="')];
    const { reporter, tried } = reporterOf(suspects, [crashed]);
    expect(await reporter.confirm()).toHaveLength(1);
    expect(await reporter.confirm()).toEqual([]);
    expect(tried()).toBe(1);
  });
});
