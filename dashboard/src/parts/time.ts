const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const dateOnly = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** A timestamp in the time zone of the browser, such as `23 Nov 2026, 10:15`. */
export const formatTime = (iso: string): string => dateTime.format(new Date(iso));

/** The day of a timestamp in UTC, such as `23 Nov 2026`. */
export const formatDay = (iso: string): string => dateOnly.format(new Date(iso));

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** How long before or after `now` a timestamp is, such as `3 hours ago`. */
export function formatAgo(iso: string, now: Date): string {
  const seconds = (new Date(iso).getTime() - now.getTime()) / 1000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return unit === "second" ? "just now" : relative.format(Math.trunc(seconds / size), unit);
}

/** A duration in its largest two units, such as `2 d 4 h`. */
export function formatDuration(milliseconds: number): string {
  const parts: [string, number][] = [
    ["d", Math.floor(milliseconds / 86_400_000)],
    ["h", Math.floor(milliseconds / 3_600_000) % 24],
    ["min", Math.floor(milliseconds / 60_000) % 60],
    ["s", Math.floor(milliseconds / 1000) % 60],
  ];
  const first = parts.findIndex(([, value]) => value > 0);
  if (first < 0) return `${Math.round(milliseconds)} ms`;
  const shown = parts.slice(first, first + 2).filter(([, value]) => value > 0);
  return shown.map(([unit, value]) => `${value} ${unit}`).join(" ");
}

/** The first moment of the day after a date of an `<input type="date">`: what lasts until that day lasts through it. */
export const endOfDay = (date: string): string =>
  new Date(new Date(`${date}T00:00:00Z`).getTime() + 86_400_000).toISOString();
