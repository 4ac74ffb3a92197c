import { type Plan, PLAN_NAMES } from "@glovebox/contract";
import * as z from "zod";
import { orIssue } from "./schemas.ts";
import { setting } from "./setting.ts";

const DEFAULT_DAYS = 90;
const MOST_DAYS = 3650;
const RANGE = `a whole number from 1 to ${MOST_DAYS}`;

type RetentionDays = Readonly<Record<Plan, number>>;

/**
 * Days by plan: of all plans (`90`), or of those named (`free=30,pro=365`) and the default of the others.
 * @throws Error whose message says what is wrong
 */
export function parseRetentionDays(text: string): RetentionDays {
  if (!text.includes("="))
    return ofEach(daysOf(text, `must be ${RANGE}, or such a number for each plan, such as free=30,pro=365`));
  const named = new Map<Plan, number>();
  for (const part of text.split(",")) {
    const [name = "", days = "", ...rest] = part.trim().split("=");
    const plan = PLAN_NAMES.find((known) => known === name.trim());
    if (!plan) throw new Error(`"${name.trim()}" is no plan; there are ${PLAN_NAMES.join(", ")}`);
    if (named.has(plan)) throw new Error(`${plan} is there twice`);
    named.set(plan, daysOf(rest.length === 0 ? days.trim() : "", `${plan} must be ${RANGE}`));
  }
  return { ...ofEach(DEFAULT_DAYS), ...Object.fromEntries(named) };
}

const ofEach = (days: number): RetentionDays =>
  Object.fromEntries(PLAN_NAMES.map((plan) => [plan, days])) as RetentionDays;

function daysOf(text: string, error: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MOST_DAYS) throw new Error(error);
  return days;
}

export const retentionDays = setting<RetentionDays>({
  variable: "GLOVEBOX_RETENTION_DAYS",
  type: "days, or plan=days with commas",
  fallback: String(DEFAULT_DAYS),
  meaning:
    `For how long after its end a scan is kept, with its report, 1 to ${MOST_DAYS} days. By plan: \`free=30,enterprise=365\`; ` +
    `plans that are not named have ${DEFAULT_DAYS}.`,
  schema: z.string().default(String(DEFAULT_DAYS)).transform(orIssue(parseRetentionDays)),
});
