import type { EventNote, EventSink } from "../events/events.ts";

export interface FakeEventSink extends EventSink {
  /** What was written: `create <name>: <note>` and `count <name>: <count>`. */
  readonly log: string[];
  /** What the next writes fail with. */
  readonly failures: unknown[];
}

export function createFakeEventSink(): FakeEventSink {
  const log: string[] = [];
  const failures: unknown[] = [];
  const write = async (line: string): Promise<void> => {
    log.push(line);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    await Promise.resolve();
  };
  return {
    log,
    failures,
    create: ({ name }, { note }: EventNote) => write(`create ${name}: ${note}`),
    updateSeries: ({ name }, { count }) => write(`count ${name}: ${count}`),
  };
}
