/** Seconds until the quota of the next calendar month, in UTC, begins (docs/decisions.md, "Plans, limits, keys"). */
export function secondsToNextMonth(now: Date): number {
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return Math.max(1, Math.ceil((next - now.getTime()) / 1000));
}
