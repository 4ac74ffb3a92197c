import * as z from "zod";

/** Longest wait that a client may ask for, in seconds (docs/decisions.md, "Submitting and waiting"). */
const MAX_WAIT_SECONDS = 120;

/** Any text is accepted: preferences never make a request fail (RFC 7240, section 2). */
export const preferHeader = z
  .string()
  .optional()
  .meta({
    description:
      `\`wait=N\` holds the request for at most N seconds (0 to ${MAX_WAIT_SECONDS}; ` +
      `more counts as ${MAX_WAIT_SECONDS}); \`respond-async\` does not hold it (RFC 7240). Preference-Applied lists the applied preferences.`,
    example: "wait=60",
  });

export interface WaitPreference {
  readonly seconds: number;
  /** For the Preference-Applied header; undefined without a known preference. */
  readonly applied: string | undefined;
}

/**
 * How long to wait (RFC 7240). An invalid `wait` is ignored, and one above the maximum counts as the maximum. `respond-async`
 * alone means not to wait; together with `wait` it means to respond when that time is over (section 4.3).
 */
export function waitPreference(header: string | undefined, fallbackSeconds: number): WaitPreference {
  if (!header) return { seconds: fallbackSeconds, applied: undefined };
  const preferences = parsePreferences(header);
  const wait = waitSeconds(preferences.get("wait"));
  const respondAsync = preferences.has("respond-async");
  const applied = [respondAsync ? "respond-async" : "", wait === undefined ? "" : `wait=${wait}`];
  return {
    seconds: wait ?? (respondAsync ? 0 : fallbackSeconds),
    applied: applied.filter(Boolean).join(", ") || undefined,
  };
}

/** Names in lower case with their values; of a repeated preference the first counts (RFC 7240, section 2). @internal */
export function parsePreferences(header: string): Map<string, string> {
  const preferences = new Map<string, string>();
  for (const element of splitUnquoted(header, ",")) {
    const [preference = ""] = splitUnquoted(element, ";");
    const match = PREFERENCE.exec(preference.trim());
    if (!match?.[1]) continue;
    const name = match[1].toLowerCase();
    if (!preferences.has(name)) preferences.set(name, unquote(match[2] ?? ""));
  }
  return preferences;
}

const PREFERENCE = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[\w!#$%&'*+.^`|~-]*))?$/;

function waitSeconds(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{1,9}$/.test(value)) return undefined;
  return Math.min(Number(value), MAX_WAIT_SECONDS);
}

function splitUnquoted(text: string, separator: "," | ";"): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted && character === "\\") index++;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

const unquote = (word: string): string =>
  word.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, "$1") : word;
