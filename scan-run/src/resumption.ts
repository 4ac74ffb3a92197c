import type { NotedWrite, Resumption } from "@glovebox/contract";

/**
 * The resumption within a size: commands are left out first, which the next attempt makes itself, then writes of which nothing remains.
 * If that is still too much, the newest writes are kept. Pure.
 */
export function bounded(resumption: Resumption, maxBytes: number): Resumption {
  const brief = resumption.writes.map(({ curl: _curl, ...write }) => write);
  const left = brief.filter(({ cleaned }) => !cleaned);
  const fitting = [resumption.writes, brief, left].find((writes) => sizeOf(writes) <= maxBytes);
  return { ...resumption, writes: fitting ?? newestOf(left, maxBytes) };
}

const sizeOf = (writes: readonly NotedWrite[]): number => Buffer.byteLength(JSON.stringify(writes));

function newestOf(writes: readonly NotedWrite[], maxBytes: number): NotedWrite[] {
  let size = 0;
  const kept = writes.toReversed().filter((write) => (size += sizeOf([write])) <= maxBytes);
  return kept.toReversed();
}
