import { scanFailure, type DeliveredOutcome } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { recordOutcome, type RecordDeps } from "./record-outcome.ts";

const OUTCOME: DeliveredOutcome = { status: "failed", failure: scanFailure("connection_refused") };
const AWAY = new Error("away");
const REFUSED = new Error("refused");

/** A database that answers in turn as told, and then takes everything. */
function databaseThat(...answers: Error[]) {
  const recorded: DeliveredOutcome[] = [];
  const attempts: DeliveredOutcome[] = [];
  const stop = new AbortController();
  const deps: RecordDeps = {
    work: {
      record: async (_id, outcome) => {
        attempts.push(outcome);
        const answer = answers.shift();
        if (answer) throw answer;
        recorded.push(outcome);
        return true;
      },
    },
    isUnavailable: (error) => error === AWAY,
    onError: () => {},
    signal: stop.signal,
    firstDelayMs: 1,
  };
  return { deps, recorded, attempts, stop };
}

describe("recording an outcome", () => {
  test("a database that is away for a while gets the outcome when it is back", async () => {
    const { deps, recorded } = databaseThat(AWAY, AWAY, AWAY, AWAY, AWAY);
    expect(await recordOutcome("scan-1", OUTCOME, deps)).toBe(true);
    expect(recorded).toEqual([OUTCOME]);
  });

  test("an outcome that is refused three times for another reason is recorded as a lost result", async () => {
    const { deps, recorded } = databaseThat(REFUSED, REFUSED, AWAY, REFUSED);
    expect(await recordOutcome("scan-1", OUTCOME, deps)).toBe(true);
    expect(recorded).toEqual([{ status: "failed", failure: scanFailure("result_lost") }]);
  });

  test("a service that stops while the database is away says that nothing was recorded", async () => {
    const { deps, attempts, stop } = databaseThat(AWAY, AWAY);
    stop.abort();
    expect(await recordOutcome("scan-1", OUTCOME, deps)).toBe(false);
    expect(attempts).toEqual([OUTCOME]);
  });
});
