const DAY_MS = 86_400_000;

/**
 * When a run starts, in the words of the schedule's own time zone, such as `tomorrow at 02:30 (Europe/Berlin)`.
 * @throws RangeError for a time zone that this browser does not know
 */
export function runInWords(iso: string, timeZone: string, now: Date): string {
  const at = new Date(iso);
  const days = dayNumber(at, timeZone) - dayNumber(now, timeZone);
  const time = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "short" }).format(at);
  return `${dayInWords(at, { timeZone, days })} at ${time} (${timeZone})`;
}

function dayInWords(at: Date, { timeZone, days }: { timeZone: string; days: number }): string {
  if (days === 0) return "today";
  if (days === 1) return "tomorrow";
  if (days === -1) return "yesterday";
  const parts: Intl.DateTimeFormatOptions = { timeZone, weekday: "short", day: "numeric", month: "short" };
  if (Math.abs(days) >= 300) parts.year = "numeric";
  return new Intl.DateTimeFormat("en-GB", parts).format(at).replace(",", "");
}

/** Of the day that a calendar shows there. */
function dayNumber(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts.get("year")!, parts.get("month")! - 1, parts.get("day")) / DAY_MS;
}
