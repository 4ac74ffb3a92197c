import { KubeError } from "../client/error.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { describe, expect, test } from "vitest";
import { type EventNote, EventRecorder, type EventRecorderOptions } from "./events.ts";
import { createFakeEventSink } from "../testing/fake-event-sink.ts";

const event = (note: string, name = "scan-1"): EventNote => ({
  regarding: { apiVersion: "glovebox.dev/v1alpha1", kind: "Scan", namespace: "scans", name },
  type: "Warning",
  reason: "TargetRefused",
  action: "Refuse",
  note,
});

function bench(options: Partial<EventRecorderOptions> = {}) {
  const clock = createFakeClock();
  const sink = createFakeEventSink();
  const dropped: string[] = [];
  let suffix = 0;
  const recorder = new EventRecorder({
    sink,
    clock,
    newSuffix: () => String((suffix += 1)),
    onDropped: (reason) => dropped.push(reason),
    ...options,
  });
  return { clock, sink, dropped, recorder };
}

describe("the event recorder", () => {
  test("writes one event for each that differs in its object or its text", async () => {
    const { clock, sink, recorder } = bench();
    recorder.record(event("first"));
    recorder.record(event("second"));
    recorder.record(event("first", "scan-2"));
    await clock.advance(0);
    expect(sink.log).toEqual(["create scan-1.1: first", "create scan-1.2: second", "create scan-2.3: first"]);
  });

  test("counts equal events in one, and writes the count once a minute at most", async () => {
    const { clock, sink, recorder } = bench();
    for (let turn = 0; turn < 10; turn += 1) recorder.record(event("again"));
    await clock.advance(59_999);
    expect(sink.log).toEqual(["create scan-1.1: again"]);
    await clock.advance(1);
    recorder.record(event("again"));
    await clock.advance(60_000);
    expect(sink.log.slice(1)).toEqual(["count scan-1.1: 10", "count scan-1.1: 11"]);
  });

  test("begins a new event when the last one like it is six minutes old", async () => {
    const { clock, sink, recorder } = bench();
    recorder.record(event("again"));
    await clock.advance(360_000);
    recorder.record(event("again"));
    await clock.advance(0);
    expect(sink.log).toEqual(["create scan-1.1: again", "create scan-1.2: again"]);
  });

  test("bounds its writes, and tells of those it leaves out", async () => {
    const { clock, sink, dropped, recorder } = bench({ rate: { burst: 2, perSecond: 1 } });
    for (const note of ["a", "b", "c", "d"]) recorder.record(event(note));
    expect(dropped).toEqual(["rate", "rate"]);
    await clock.advance(1000);
    recorder.record(event("e"));
    await clock.advance(0);
    expect(sink.log.map((line) => line.slice(-1))).toEqual(["a", "b", "e"]);
  });

  test("writes an event with its next count when it could not be written before", async () => {
    const { clock, sink, dropped, recorder } = bench();
    sink.failures.push(new KubeError("create events", { code: 503 }));
    recorder.record(event("again"));
    recorder.record(event("again"));
    await clock.advance(60_000);
    expect(dropped).toEqual(["failed"]);
    expect(sink.log).toEqual(["create scan-1.1: again", "create scan-1.1: again"]);
  });

  test("writes an event again when the server has forgotten it", async () => {
    const { clock, sink, dropped, recorder } = bench();
    recorder.record(event("again"));
    await clock.advance(0);
    sink.failures.push(new KubeError("patch events", { code: 404 }));
    recorder.record(event("again"));
    await clock.advance(60_000);
    expect(sink.log.at(-1)).toBe("create scan-1.1: again");
    expect(dropped).toEqual([]);
  });

  test("throws for no response of the server, nor when the call throws immediately", async () => {
    const sink = createFakeEventSink();
    const thrower = () => {
      throw new Error("at once");
    };
    const { clock, dropped, recorder } = bench({ sink: { ...sink, create: thrower } });
    expect(() => recorder.record(event("a"))).not.toThrow();
    await clock.advance(0);
    expect(dropped).toEqual(["failed"]);
  });

  test("writes the counts that are due when it stops", async () => {
    const { sink, recorder } = bench();
    for (let turn = 0; turn < 3; turn += 1) recorder.record(event("again"));
    await recorder.stop();
    expect(sink.log).toEqual(["create scan-1.1: again", "count scan-1.1: 3"]);
  });

  test("keeps the name of an event short enough for the API", async () => {
    const { clock, sink, recorder } = bench({ newSuffix: () => "0123456789abcdef" });
    recorder.record(event("a", "s".repeat(253)));
    await clock.advance(0);
    expect(/^create (\S+):/.exec(sink.log[0]!)?.[1]).toHaveLength(253);
  });

  test("forgets what it saw longest ago when it has seen very much", async () => {
    const { clock, sink, recorder } = bench({ rate: { burst: 5000, perSecond: 1 } });
    for (let turn = 0; turn <= 1000; turn += 1) recorder.record(event(`note ${turn}`));
    recorder.record(event("note 0"));
    recorder.record(event("note 1000"));
    await clock.advance(0);
    expect(sink.log).toHaveLength(1002);
  });
});
