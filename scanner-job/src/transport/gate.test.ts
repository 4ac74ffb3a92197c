import { describe, expect, it, vi } from "vitest";
import { Gate } from "./gate.ts";
import { MAX_CONCURRENCY } from "./pace.ts";

const answered = (status: number) => () => ({ status, elapsedMs: 1 });

describe("Gate", () => {
  it("lets no more requests through at once than the pace allows", async () => {
    const gate = new Gate(() => 0);
    let underWay = 0;
    let most = 0;
    const request = async () => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      underWay--;
    };
    await Promise.all(Array.from({ length: 100 }, () => gate.pass(request, answered(200))));
    expect(most).toBe(MAX_CONCURRENCY);
  });

  it("lets the next one through after a request has failed", async () => {
    const gate = new Gate(() => 0);
    const failing = Array.from({ length: 20 }, () =>
      gate.pass(() => Promise.reject(new Error("cut")), answered(0)),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === "rejected")).toBe(true);
    await expect(gate.pass(() => Promise.resolve("answer"), answered(200))).resolves.toBe("answer");
  });

  it("holds everything back until a pause that the target asked for is over", async () => {
    vi.useFakeTimers({ now: 0 });
    const gate = new Gate(() => Date.now());
    await gate.pass(
      () => Promise.resolve(),
      () => ({ status: 429, elapsedMs: 1, retryAfterSeconds: 5 }),
    );
    let sent = false;
    const held = gate.pass(() => Promise.resolve((sent = true)), answered(200));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(sent).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await held;
    expect(sent).toBe(true);
    vi.useRealTimers();
  });

  it("lets all go when it is closed, so that nothing waits for ever", async () => {
    const gate = new Gate(() => 0);
    await gate.pass(
      () => Promise.resolve(),
      () => ({ status: 503, elapsedMs: 1, retryAfterSeconds: 9 }),
    );
    const waiting = gate.pass(() => Promise.reject(new Error("deadline")), answered(0));
    gate.close();
    await expect(waiting).rejects.toThrow("deadline");
  });
});
