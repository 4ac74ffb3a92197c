import { describe, expect, it, vi } from "vitest";
import { Gate } from "./gate.ts";
import { MAX_CONCURRENCY, type Observation } from "./pace.ts";

const A = "GET /a";

const responded = (status: number, more: Partial<Observation> = {}) => ({
  observe: () => ({ status, elapsedMs: 1, ...more }),
  afterLoss(): never {
    throw new Error("lost");
  },
});
const throttled = (retryAfterSeconds: number) => responded(429, { retryAfterSeconds });
const nothing = () => Promise.resolve();

describe("Gate", () => {
  it("lets no more concurrent requests through than the pace allows", async () => {
    const gate = new Gate(() => 0);
    let underWay = 0;
    let max = 0;
    const request = async () => {
      max = Math.max(max, ++underWay);
      await Promise.resolve();
      underWay--;
    };
    await Promise.all(Array.from({ length: 100 }, () => gate.pass(A, request, responded(200))));
    expect(max).toBe(MAX_CONCURRENCY);
  });

  it("lets the next one through after a request has failed", async () => {
    const gate = new Gate(() => 0);
    const failing = Array.from({ length: 20 }, () =>
      gate.pass(A, () => Promise.reject(new Error("cut")), responded(0)),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === "rejected")).toBe(true);
    await expect(gate.pass(A, () => Promise.resolve("response"), responded(200))).resolves.toBe("response");
  });

  it("holds everything back until a pause that the target asked for is over", async () => {
    vi.useFakeTimers({ now: 0 });
    const gate = new Gate(() => Date.now());
    for (const path of [A, "GET /b", "GET /c"])
      await gate.pass(path, nothing, responded(503, { retryAfterSeconds: 5 }));
    let sent = false;
    const held = gate.pass("GET /d", () => Promise.resolve((sent = true)), responded(200));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(sent).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await held;
    expect(sent).toBe(true);
    vi.useRealTimers();
  });

  it("lets all go when it is closed, so that nothing waits for ever", async () => {
    const gate = new Gate(() => 0);
    await gate.pass(A, nothing, responded(503, { retryAfterSeconds: 9 }));
    const waiting = gate.pass(A, () => Promise.reject(new Error("deadline")), responded(0));
    const alone = gate.alone(() => Promise.resolve("done"));
    gate.close();
    await expect(waiting).rejects.toThrow("deadline");
    await expect(alone).resolves.toBe("done");
    await expect(gate.pass(A, () => Promise.resolve("late"), responded(200))).resolves.toBe("late");
  });

  it("sends all requests for other paths while one path is paused, however many wait for that one", async () => {
    vi.useFakeTimers({ now: 0 });
    const gate = new Gate(() => Date.now());
    await gate.pass(A, nothing, throttled(10));
    const sent: string[] = [];
    const send = (path: string) =>
      gate.pass(path, () => Promise.resolve(void sent.push(path)), responded(200));
    const waiting = Array.from({ length: MAX_CONCURRENCY * 2 }, () => send(A));
    await Promise.all(Array.from({ length: 50 }, () => send("GET /b")));
    expect(sent).toEqual(Array<string>(50).fill("GET /b"));
    expect([gate.isPaused(A), gate.isPaused("GET /b")]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(waiting);
    expect(sent).toHaveLength(50 + waiting.length);
    vi.useRealTimers();
  });

  it("Gate does work alone: after what is in flight, and before what waits", async () => {
    const gate = new Gate(() => 0);
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const inFlight = gate.pass(A, () => first.promise.then(() => void order.push("first")), responded(200));
    const alone = gate.alone(async () => {
      order.push("alone begins");
      await Promise.resolve();
      order.push("alone ends");
    });
    const next = gate.pass(A, () => Promise.resolve(void order.push("next")), responded(200));
    first.resolve();
    await Promise.all([inFlight, alone, next]);
    expect(order).toEqual(["first", "alone begins", "alone ends", "next"]);
  });

  it("starts no request between a lost connection and what explains it", async () => {
    const gate = new Gate(() => 0);
    const order: string[] = [];
    const lost = gate.pass(A, () => Promise.reject(new Error("reset")), {
      observe: () => ({ status: 0, elapsedMs: 1, isLost: true }),
      afterLoss: () => Promise.resolve(void order.push("explained")),
    });
    const others = Array.from({ length: 20 }, () =>
      gate.pass(A, () => Promise.resolve(void order.push("sent")), responded(200)),
    );
    await Promise.all([lost, ...others]);
    const inFlight = MAX_CONCURRENCY - 1;
    expect(order.slice(0, inFlight + 2)).toEqual([
      ...Array<string>(inFlight).fill("sent"),
      "explained",
      "sent",
    ]);
    expect(order).toHaveLength(20 + 1);
  });
});
